import { isoInstant } from '@headworks/kernel';
import { Weirs } from './testing/weirs.testing';

/** Silence approves at the first instant of July 17, 2027 in the village. */
const DUE = Date.parse('2027-07-17T05:00:00.000Z');
const WORKERS = ['up', 'down', 'a week late'] as const;
type Worker = (typeof WORKERS)[number];

/** Whoever wakes what is due looks at the instant: at once, never, or a week later. */
async function wakes(weirs: Weirs, permit: string, worker: Worker, nowMs: number): Promise<void> {
  const from = worker === 'up' ? DUE + 1 : DUE + 7 * 86_400_000;
  if (worker !== 'down' && nowMs >= from) await weirs.settle(permit);
}

/** How the permit and its duty stand at the cut, in words. */
async function standsAt(weirs: Weirs, permit: string, asOf: string, knownAt: string): Promise<string> {
  const cut = { asOf, knownAt };
  const at = await weirs.duty(permit);
  const duty = await weirs.headworks.duties.duty(weirs.request(), at, cut, 'status');
  const { date } = duty['due'] as { readonly date: string };
  return `${await weirs.statusAt(permit, asOf, knownAt)}, ${duty['status'] as string} of ${date.slice(5)}`;
}

describe('a decision at the last instant of its time', () => {
  const decided = async (worker: Worker, ms: number) => {
    const weirs = await Weirs.opened();
    const permit = await weirs.filed();
    weirs.shared.now = DUE + ms;
    // The alarm of a worker that is up goes off at the same instant, and asks first.
    await wakes(weirs, permit, worker, DUE + ms);
    const answer = await weirs.approve(permit).then(
      ({ kind }) => kind,
      (error: unknown) => (error as { readonly code: string }).code,
    );
    weirs.shared.now = DUE + 8 * 86_400_000;
    await wakes(weirs, permit, worker, weirs.shared.now);
    const shown = isoInstant(weirs.shared.now);
    const events = await weirs.shared.store.readStream(`permit-${permit}`);
    const written = events.map(({ type, metadata }) =>
      'at' in metadata.occurred ? `${type} ${Date.parse(metadata.occurred.at) - DUE}` : type,
    );
    return { answer, is: await standsAt(weirs, permit, shown, shown), written: written.slice(1) };
  };

  const DECIDED = ['ApplicationApproved -1', 'PermitIssued -1', 'PermitNumbered -1'];
  const SILENCE = ['DutyMissed 0', 'ApplicationDeemedApproved 0'];
  // What was refused at the instant wrote nothing, and nobody woke the silence: reads show it all the same.
  const NOBODY: readonly string[] = [];
  it.each<readonly [number, Worker, string, string, readonly string[]]>([
    [-1, 'up', 'recorded', 'issued, met of 07-16', DECIDED],
    [-1, 'down', 'recorded', 'issued, met of 07-16', DECIDED],
    [-1, 'a week late', 'recorded', 'issued, met of 07-16', DECIDED],
    [0, 'up', 'conflict', 'deemed_approved, missed of 07-16', SILENCE],
    [0, 'down', 'conflict', 'deemed_approved, missed of 07-16', NOBODY],
    [0, 'a week late', 'conflict', 'deemed_approved, missed of 07-16', SILENCE],
    [1, 'up', 'conflict', 'deemed_approved, missed of 07-16', SILENCE],
    [1, 'down', 'conflict', 'deemed_approved, missed of 07-16', NOBODY],
    [1, 'a week late', 'conflict', 'deemed_approved, missed of 07-16', SILENCE],
  ])('%d ms, the worker %s: %s; %s', async (ms, worker, answer, is, written) => {
    expect(await decided(worker, ms)).toEqual({ answer, is, written });
  });
});

describe('the same file, whenever it is looked at and whatever was known', () => {
  /** In turn: silence, a decision of the 16th that is entered on the 20th, a storm of the 9th that is entered on the 22nd. */
  const TOLD = {
    decision: '2027-07-20T15:00:00.000Z',
    storm: '2027-07-22T15:00:00.000Z',
  };
  const KNOWN = {
    'before it was due': isoInstant(DUE - 1),
    'after it was due': '2027-07-18T15:00:00.000Z',
    'after the late decision': '2027-07-20T16:00:00.000Z',
    'after the late holiday': '2027-07-22T16:00:00.000Z',
  } as const;
  const AS_OF = {
    'the 10th': '2027-07-10T15:00:00.000Z',
    'the 16th, after the decision': '2027-07-16T16:00:00.000Z',
    'the last instant': isoInstant(DUE - 1),
    'the first too late': isoInstant(DUE),
    'the 20th': '2027-07-20T20:00:00.000Z',
    'the 23rd': '2027-07-23T15:00:00.000Z',
  } as const;

  const tableOf = async (weirs: Weirs, permit: string): Promise<readonly string[]> => {
    const rows: string[] = [];
    for (const [asOf, at] of Object.entries(AS_OF)) {
      for (const [known, knownAt] of Object.entries(KNOWN)) {
        rows.push(`${asOf} | ${known} | ${await standsAt(weirs, permit, at, knownAt)}`);
      }
    }
    return rows;
  };

  const played = async (worker: Worker, isDecided: boolean): Promise<readonly string[]> => {
    const weirs = await Weirs.opened();
    const permit = await weirs.filed();
    for (const now of ['2027-07-18T14:00:00.000Z', TOLD.decision, TOLD.storm, '2027-07-25T15:00:00.000Z']) {
      weirs.at(now);
      await wakes(weirs, permit, worker, weirs.shared.now);
      if (now === TOLD.decision && isDecided) {
        await weirs.approve(permit, Date.parse('2027-07-16T15:00:00.000Z'));
      }
      if (now !== TOLD.storm) continue;
      // Whoever closes a day settles first, as every command does.
      await weirs.settle(permit);
      await weirs.closed('2027-07-09');
    }
    return tableOf(weirs, permit);
  };

  it('is decided in time, and was deemed approved for as long as nobody knew', async () => {
    const table = await played('up', true);
    expect(table).toMatchInlineSnapshot(`
      [
        "the 10th | before it was due | filed, open of 07-16",
        "the 10th | after it was due | filed, open of 07-16",
        "the 10th | after the late decision | filed, open of 07-16",
        "the 10th | after the late holiday | filed, open of 07-16",
        "the 16th, after the decision | before it was due | filed, open of 07-16",
        "the 16th, after the decision | after it was due | filed, open of 07-16",
        "the 16th, after the decision | after the late decision | issued, met of 07-16",
        "the 16th, after the decision | after the late holiday | issued, met of 07-16",
        "the last instant | before it was due | filed, open of 07-16",
        "the last instant | after it was due | filed, open of 07-16",
        "the last instant | after the late decision | issued, met of 07-16",
        "the last instant | after the late holiday | issued, met of 07-16",
        "the first too late | before it was due | deemed_approved, missed of 07-16",
        "the first too late | after it was due | deemed_approved, missed of 07-16",
        "the first too late | after the late decision | issued, met of 07-16",
        "the first too late | after the late holiday | issued, met of 07-16",
        "the 20th | before it was due | deemed_approved, missed of 07-16",
        "the 20th | after it was due | deemed_approved, missed of 07-16",
        "the 20th | after the late decision | issued, met of 07-16",
        "the 20th | after the late holiday | issued, met of 07-16",
        "the 23rd | before it was due | deemed_approved, missed of 07-16",
        "the 23rd | after it was due | deemed_approved, missed of 07-16",
        "the 23rd | after the late decision | issued, met of 07-16",
        "the 23rd | after the late holiday | issued, met of 07-16",
      ]
    `);
    for (const worker of ['down', 'a week late'] as const) expect(await played(worker, true)).toEqual(table);
  });

  it('stays deemed approved where nobody decided: a late holiday ends nothing by itself', async () => {
    const table = await played('up', false);
    expect(table).toMatchInlineSnapshot(`
      [
        "the 10th | before it was due | filed, open of 07-16",
        "the 10th | after it was due | filed, open of 07-16",
        "the 10th | after the late decision | filed, open of 07-16",
        "the 10th | after the late holiday | filed, open of 07-16",
        "the 16th, after the decision | before it was due | filed, open of 07-16",
        "the 16th, after the decision | after it was due | filed, open of 07-16",
        "the 16th, after the decision | after the late decision | filed, open of 07-16",
        "the 16th, after the decision | after the late holiday | filed, open of 07-16",
        "the last instant | before it was due | filed, open of 07-16",
        "the last instant | after it was due | filed, open of 07-16",
        "the last instant | after the late decision | filed, open of 07-16",
        "the last instant | after the late holiday | filed, open of 07-16",
        "the first too late | before it was due | deemed_approved, missed of 07-16",
        "the first too late | after it was due | deemed_approved, missed of 07-16",
        "the first too late | after the late decision | deemed_approved, missed of 07-16",
        "the first too late | after the late holiday | deemed_approved, missed of 07-16",
        "the 20th | before it was due | deemed_approved, missed of 07-16",
        "the 20th | after it was due | deemed_approved, missed of 07-16",
        "the 20th | after the late decision | deemed_approved, missed of 07-16",
        "the 20th | after the late holiday | deemed_approved, missed of 07-16",
        "the 23rd | before it was due | deemed_approved, missed of 07-16",
        "the 23rd | after it was due | deemed_approved, missed of 07-16",
        "the 23rd | after the late decision | deemed_approved, missed of 07-16",
        "the 23rd | after the late holiday | deemed_approved, missed of 07-16",
      ]
    `);
    for (const worker of ['down', 'a week late'] as const) expect(await played(worker, false)).toEqual(table);
  });
});
