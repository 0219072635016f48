import { join } from 'node:path';
import { isoInstant, type JsonObject } from '@headworks/kernel';
import type { PermitDecision } from '@headworks/domain';
import { loadRules } from '@headworks/rules-engine';
import type { Answer } from '../answers';
import type { ApplicationBody } from '../commands/permits/file-application';
import type { DecisionBody } from '../commands/permits/decide-on-permit';
import type { Caller, Request } from '../context';
import { permits, permitStream } from '../models';
import { openShared, World, type ProcessOptions, type Shared } from './world.testing';

/** The invented law of test/fixtures/permits: leave to press at the common vats. */
export const PRESS_RULES = loadRules(join(__dirname, '../../../../test/fixtures/permits'));
export const PRESS = 'fernhollow-press';

const of = (id: string, role: string): Caller => ({ id, roles: [role], jurisdictions: ['xx-fernhollow'] });
export const REEVE = of('rae', 'clerk');
export const MOOT = of('moe', 'board');
export const WARDEN = of('wes', 'officer');
export const HOLDER: Caller = { ...of('pat', 'holder'), holds: [{ kind: 'presser', key: 'P1' }] };
export const STRANGER: Caller = { ...of('sam', 'holder'), holds: [{ kind: 'presser', key: 'P2' }] };

/** A process that knows the law of the vats, in August 2027. */
export class PressWorld extends World {
  constructor(shared: Shared, options: ProcessOptions = {}) {
    super(shared, { rules: PRESS_RULES, ...options });
  }

  static override async open(options: ProcessOptions = {}): Promise<PressWorld> {
    const world = new PressWorld(await openShared(), options);
    world.at('2027-08-10T15:00:00Z');
    await world.presser('P1');
    return world;
  }

  by(caller: Caller, more: Partial<Request> = {}): Request {
    return this.request({ caller, ...more });
  }

  presser(key: string, facts: JsonObject = { inn_keeper: false }): Promise<Answer> {
    return this.headworks.registerSubject(this.request(), 'presser', {
      jurisdiction: 'xx-fernhollow',
      key,
      facts,
    });
  }

  application(more: Partial<ApplicationBody> = {}): ApplicationBody {
    return {
      pack: PRESS,
      permitType: 'pressing',
      applicant: { kind: 'presser', key: 'P1' },
      facts: { fruit: ['apples'], yearly_volume: '500 gal' },
      ...more,
    };
  }

  async file(more: Partial<ApplicationBody> = {}, request: Request = this.by(HOLDER)): Promise<string> {
    const { body } = await this.headworks.permits.fileApplication(request, this.application(more));
    return body['id'] as string;
  }

  decide(caller: Caller, id: string, decision: PermitDecision, body: DecisionBody = {}): Promise<Answer> {
    return this.headworks.permits.decide(this.by(caller), id, decision, body);
  }

  override act(id: string, act: string, facts: JsonObject): Promise<Answer> {
    const caller = act === 'see_vats' ? WARDEN : REEVE;
    return this.headworks.permits.doAct(this.by(caller), id, act, { pack: PRESS, facts });
  }

  /** Filed in August, complete and bonded, approved and issued on September 20, for the next year. */
  async issued(more: Partial<ApplicationBody> = {}): Promise<string> {
    this.at('2027-08-10T15:00:00Z');
    const id = await this.file(more);
    this.at('2027-09-10T15:00:00Z');
    await this.decide(REEVE, id, 'completion');
    await this.act(id, 'accept_bond', { bonded: true });
    this.at('2027-09-20T15:00:00Z');
    await this.decide(MOOT, id, 'approval', { reason: 'sound' });
    return id;
  }

  permit(id: string) {
    return this.services.runner.read(permits, permitStream(id));
  }

  get iso(): string {
    return isoInstant(this.shared.now);
  }
}
