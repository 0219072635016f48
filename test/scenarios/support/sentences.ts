import type { Step, TicketWords } from './scenario-file';

/** A thing that a scenario has named, and what the program calls it. */
export interface Named {
  readonly is: 'subject' | 'permit' | 'manifest' | 'load' | 'duty';
  readonly id: string;
  readonly kind?: string;
  readonly key?: string;
}

/** What a sentence may ask of the scenario so far. */
export interface Told {
  readonly pack: string;
  readonly jurisdiction: string;
  /** Kind and key of what the speaker acts for. */
  readonly holder?: { readonly kind: string; readonly key: string };
  named(name: string): Named;
  /** An instant of the wall clock, with its offset. */
  instant(wall: string): string;
  readonly now: string;
}

/** One request, and what its answer makes of the name after `as`. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly makes?: Omit<Named, 'id'>;
}

/** Nothing is asked: the clock alone moves. */
export const NOTHING = 'time passes';

type Speak = (told: Told, step: Step, match: readonly string[]) => Call;

const facts = ({ facts: said }: Step): object => (said === undefined ? {} : { facts: said });
const reason = ({ because }: Step): object => (because === undefined ? {} : { reason: because });

/** A decision on a file: what it takes is the same for all of them, and the program refuses what does not belong. */
const decision =
  (noun: string): Speak =>
  (told, step, [name = '']) => ({
    method: 'POST',
    path: `/v1/${APPLICATION_DECISIONS.has(noun) ? 'applications' : 'permits'}/${told.named(name).id}/${noun}`,
    body: {
      ...facts(step),
      ...reason(step),
      ...(step.sets && { sets: step.sets }),
      ...(step.grounds && { grounds: step.grounds }),
      ...(step.waive && { waive: step.waive }),
      ...(step.issue !== undefined && { issue: step.issue }),
      ...(step.asking && { facts: step.asking }),
    },
  });
const APPLICATION_DECISIONS = new Set([
  ...['information-requests', 'information', 'completion', 'approval', 'denial', 'withdrawal', 'issuance'],
]);

/** Every sentence that a step may say, and the request that it is. Closed: a new sentence needs a line here. */
const SENTENCES: readonly (readonly [RegExp, Speak])[] = [
  [
    /^registers (\w+) (\S+)$/,
    ({ jurisdiction }, step, [kind = '', key = '']) => ({
      method: 'POST',
      path: `/v1/subjects/${kind}`,
      body: { jurisdiction, key, ...facts(step) },
      makes: { is: 'subject', kind, key },
    }),
  ],
  [
    /^records facts of (.+)$/,
    (told, step, [name = '']) => ({
      method: 'POST',
      path: `${pathOf(told.named(name))}/facts`,
      body: facts(step) as Call['body'] & object,
    }),
  ],
  [
    /^does (\w+) on (.+)$/,
    (told, step, [act = '', name = '']) => ({
      method: 'POST',
      path: `${pathOf(told.named(name))}/acts/${act}`,
      body: { pack: told.pack, ...facts(step), ...reason(step) },
    }),
  ],
  [
    /^files an application for (\w+)$/,
    (told, step, [permitType = '']) => ({
      method: 'POST',
      path: '/v1/applications',
      body: { pack: told.pack, permitType, applicant: told.holder, ...facts(step) },
      makes: { is: 'permit' },
    }),
  ],
  [
    /^files to renew (.+)$/,
    (told, step, [name = '']) => ({
      method: 'POST',
      path: `/v1/permits/${told.named(name).id}/renewal`,
      body: facts(step) as Call['body'] & object,
      makes: { is: 'permit' },
    }),
  ],
  [/^asks for information on (.+)$/, decision('information-requests')],
  [/^gives information on (.+)$/, decision('information')],
  [/^calls (.+) complete$/, decision('completion')],
  [/^approves (.+)$/, decision('approval')],
  [/^denies (.+)$/, decision('denial')],
  [/^withdraws (.+)$/, decision('withdrawal')],
  [/^issues (.+)$/, decision('issuance')],
  [/^suspends (.+)$/, decision('suspension')],
  [/^reinstates (.+)$/, decision('reinstatement')],
  [/^revokes (.+)$/, decision('revocation')],
  [/^sets conditions on (.+)$/, decision('conditions')],
  [
    /^asks to discharge (\w+) at (.+)$/,
    (told, step, [manifest = '', at = '']) => ({
      method: 'POST',
      path: '/v1/manifests',
      body: { manifest, ...ticket(told, step, at), plannedAt: planned(told, step.load) },
      makes: { is: 'manifest' },
    }),
  ],
  [
    /^brings (\w+) to (.+?)(?: on (.+))?$/,
    (told, step, [load = '', at = '', manifest]) => ({
      method: 'POST',
      path: '/v1/loads',
      body: {
        load,
        occurredAt: told.now,
        ...ticket(told, step, at),
        ...(step.load?.finished !== undefined && { finishedAt: told.instant(step.load.finished) }),
        ...(manifest !== undefined && { manifestId: told.named(manifest).id }),
      },
      makes: { is: 'load' },
    }),
  ],
  // A duty is known by what began it: whoever speaks of one looks it up first, and gives it a name.
  [
    /^finds the duty under (\S+) of (.+)$/,
    (told, _step, [clause = '', name = '']) => {
      const { is, id } = told.named(name);
      const of = is === 'permit' ? 'permitId' : 'subjectId';
      return { method: 'GET', path: `/v1/duties?clause=${clause}&${of}=${id}`, makes: { is: 'duty' } };
    },
  ],
  [/^extends (.+)$/, (told, step, [name = '']) => onDuty(told, step, name, 'extension')],
  [/^waives (.+)$/, (told, step, [name = '']) => onDuty(told, step, name, 'waiver')],
  [/^looks at the history of (.+)$/, (told, _step, [name = '']) => look(told, name, '/history')],
  [/^looks at what may be done on (.+)$/, (told, _step, [name = '']) => look(told, name, '/acts')],
  [
    /^looks at what is left of (\w+) of (.+)$/,
    (told, _step, [limit = '', name = '']) => look(told, name, `/ledgers/${limit}`),
  ],
  [/^looks at (.+)$/, (told, _step, [name = '']) => look(told, name, '')],
];

const onDuty = (told: Told, step: Step, name: string, what: string): Call => ({
  method: 'POST',
  path: `${pathOf(told.named(name))}/${what}`,
  body: reason(step) as Call['body'] & object,
});

const look = (told: Told, name: string, what: string): Call => ({
  method: 'GET',
  path: `${pathOf(told.named(name))}${what}`,
});

/** The request of a step, or a message that names the sentences there are. */
export function callOf(step: Step, told: Told): Call {
  for (const [sentence, speak] of SENTENCES) {
    const match = sentence.exec(step.does);
    if (match) return speak(told, step, match.slice(1));
  }
  const known = SENTENCES.map(([sentence]) => sentence.source).join('\n  ');
  throw new Error(`${step.place}: nobody knows how to do '${step.does}'. Sentences:\n  ${known}`);
}

/** Where a named thing is seen. */
export function pathOf({ is, id, kind }: Named): string {
  switch (is) {
    case 'subject':
      return `/v1/subjects/${kind}/${id}`;
    case 'permit':
      return `/v1/permits/${id}`;
    case 'manifest':
      return `/v1/manifests/${id}`;
    case 'load':
      return `/v1/loads/${id}`;
    case 'duty':
      return `/v1/duties/${id}`;
  }
}

const refOf = ({ kind, key }: Named) => ({ kind, key });
const planned = (told: Told, load: TicketWords | undefined): string =>
  load?.planned === undefined ? told.now : told.instant(load.planned);

/** What manifest and load share: a ticket in the words of its form. */
function ticket(
  told: Told,
  { load, facts: said, place }: Step,
  at: string,
): Readonly<Record<string, unknown>> {
  if (!load) throw new Error(`${place}: say what is in it: add 'load'`);
  const one = { gallons: load.gallons ?? 0, of: load.of ?? '', ...(load.from && { from: load.from }) };
  const sources = load.sources ?? [one];
  const gallons = sources.reduce((sum, source) => sum + source.gallons, 0);
  return {
    pack: told.pack,
    ...(load.under !== undefined && { permitId: told.named(load.under).id }),
    subject: refOf(told.named(at)),
    hauler: told.holder,
    ...(load.truck !== undefined && { vehicle: refOf(told.named(load.truck)) }),
    ticket: load.ticket,
    quantity: { value: String(load.gallons ?? gallons), unit: 'gal' },
    sources: sources.map((source) => ({
      wasteType: source.of,
      quantity: { value: String(source.gallons), unit: 'gal' },
      location: `tank at ${source.from ?? 'an unknown place'}`,
      generator: { name: 'Ann Example', address: '1 Example Lane', phone: '555-0100' },
      ...(source.from !== undefined && { place: refOf(told.named(source.from)) }),
    })),
    ...(load.signed !== false && { signedBy: 'Dan Driver' }),
    facts: said ?? {},
  };
}
