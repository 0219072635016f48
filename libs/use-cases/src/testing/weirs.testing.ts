import { join } from 'node:path';
import { dutiesOf } from '@headworks/domain';
import { isoInstant, type JsonObject } from '@headworks/kernel';
import { loadRules } from '@headworks/rules-engine';
import type { Answer } from '../answers';
import { permits, permitStream } from '../models';
import { openShared, World } from './world.testing';

export const WEIR_RULES = loadRules(join(__dirname, '../../../../test/fixtures/duties'));
const WEIR = 'fernhollow-weir';
export const LATE = { reason: 'late', evidence: 'book' };

/** One process under the invented law of wheels and weirs, with one application at a time. */
export class Weirs extends World {
  static async opened(): Promise<Weirs> {
    const weirs = new Weirs(await openShared(), { rules: WEIR_RULES });
    weirs.at('2027-07-01T15:00:00.000Z');
    return weirs;
  }

  /** Another process on the same log. */
  beside(): Weirs {
    return new Weirs(this.shared, { rules: WEIR_RULES, singleWriter: false });
  }

  /** An application for a wheel, filed now: ten working days to decide. */
  async filed(): Promise<string> {
    const applicant = { kind: 'miller', key: 'M1' };
    const facts = { wheels: 1, in_flood_plain: false };
    const filed = { pack: WEIR, permitType: 'milling', applicant, facts };
    return idIn(await this.headworks.permits.fileApplication(this.request(), filed));
  }

  async duty(permit: string, clause = 'decide') {
    const state = await this.services.runner.read(permits, permitStream(permit));
    const duty = dutiesOf(state, this.services.rules).find((one) => one.clause.id === clause);
    return { stream: permitStream(permit), id: duty?.duty ?? '' };
  }

  approve(permit: string, occurredMs = this.shared.now): Promise<Answer> {
    const occurredAt = isoInstant(occurredMs);
    return this.headworks.permits.decide(this.request(), permit, 'approval', { occurredAt, ...LATE });
  }

  closed(date: string, more: JsonObject = {}): Promise<Answer> {
    const of = { jurisdiction: 'xx-fernhollow', calendar: 'fern-office' };
    const days = [{ date, name: 'Storm', ...more }];
    return this.headworks.duties.amendCalendar(this.request(), of, { days, ...LATE });
  }

  takenBack(event: string, more: Parameters<World['request']>[0] = {}): Promise<Answer> {
    const of = { jurisdiction: 'xx-fernhollow', event };
    return this.headworks.duties.annulClosedDays(this.request(more), of, LATE);
  }

  settle(permit: string) {
    return this.headworks.settle(permitStream(permit));
  }

  async statusAt(permit: string, asOf: string, knownAt: string): Promise<string> {
    const query = { asOf, knownAt };
    try {
      const shown = await this.headworks.permits.permit(this.request(), permit, query, 'status');
      return shown['status'] as string;
    } catch {
      return '-';
    }
  }
}

const idIn = ({ body }: Answer): string => body['id'] as string;
