/** What an issuer publishes is small; more than this is no document of one. */
const MOST_BYTES = 512 * 1024;
const PATIENCE_MS = 5_000;

/** Reads a JSON object that an issuer publishes. Redirects are not followed: they could lead off https. */
export async function fetchJson(url: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await bounded(response);
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('it answered no JSON object');
  return value as Readonly<Record<string, unknown>>;
}

async function bounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop cancels the body, so the rest is never taken in.
    if (length > MOST_BYTES) throw new Error('it answered more than 512 KB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
