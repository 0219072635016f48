import { Webhook } from 'standardwebhooks';
import type { Delivery, Notifier } from '@headworks/duties';

const PATIENCE_MS = 10_000;

/**
 * Reminders to a program, signed as Standard Webhooks have it. A receiver knows a message by its `webhook-id`, so a try
 * whose answer was lost may be made again.
 */
export const webhookNotifier = (machineNow: () => Date): Notifier => ({
  channel: 'webhook',
  async send(to, { id, subject, text, data }) {
    if (to.channel !== 'webhook') return { is: 'failed', why: 'it is no webhook' };
    // The machine's time, also in a sandbox: receivers refuse what is signed long ago.
    const at = machineNow();
    const body = JSON.stringify({
      type: 'duty.reminder',
      timestamp: at.toISOString(),
      data: { ...data, subject, text },
    });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(to.secret).sign(id, at, body),
    };
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      // Where it is redirected to is not what the operator has named.
      const response = await fetch(to.url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      await response.body?.cancel();
      return deliveryOf(response.status);
    } catch (error) {
      return { is: 'again', why: error instanceof Error ? error.name : 'no answer' };
    }
  },
});

function deliveryOf(status: number): Delivery {
  if (status >= 200 && status < 300) return { is: 'sent' };
  const why = `answered ${status}`;
  return status === 429 || status === 408 || status >= 500 ? { is: 'again', why } : { is: 'failed', why };
}
