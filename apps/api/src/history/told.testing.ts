import type { RuleSet } from '@headworks/rules-engine';
import type { Told } from './paper';
import type { ShownEvent } from './told';

/** Of a made-up law: what it calls its facts, bodies and acts. */
const PACK = {
  ref: { pack: 'some-law', version: '2', sha256: '' },
  facts: new Map([['depth', { name: 'depth', label: 'Depth of the pit' }]]),
  bodies: new Map([['moot', { id: 'moot', name: 'Village moot', role: 'board' }]]),
  acts: new Map([['look', { name: 'look', label: 'Look into the pit' }]]),
};

export const RULES = { packs: new Map([['some-law', [PACK]]]) } as unknown as RuleSet;

export const shown = (patch: Partial<ShownEvent> = {}): ShownEvent => ({
  event: 'permit-1@0',
  type: 'ApplicationApproved',
  occurred: { at: '2027-07-03T20:00:00.000Z' },
  recordedAt: '2027-07-04T13:00:05.000Z',
  actor: { id: 'key-1', roles: ['clerk', 'board'] },
  law: { pack: 'some-law', version: '2' },
  data: {},
  ...patch,
});

export const told = (events: readonly ShownEvent[], patch: Partial<Told> = {}): Told => ({
  about: {
    title: 'Leave to dig, no. 7',
    jurisdiction: 'a-town',
    lines: [['Holder', 'digger D-1']],
  },
  history: { stream: 'permit-1', order: 'legal', events, next: null },
  rules: RULES,
  zone: 'America/Chicago',
  isSandbox: false,
  asked: [],
  ...patch,
});
