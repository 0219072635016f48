import { isJsonObject, type JsonObject } from '@headworks/kernel';
import { readCsv } from './csv';
import { readGeoJson } from './geojson';
import { LookUps } from './look-up';
import type { Mapping } from './mapping';
import { callsOf, type Asked, type Call } from './requests';
import { faultText, type RowFault } from './row';
import { detailOf, ServerAway, type Answered, type Server } from './server';
import { plain } from './plain';

/** What became of a file. With a fault nothing of it was sent, but for what `stopped` tells. */
export interface Imported {
  readonly rows: number;
  readonly skipped: number;
  /** Recorded now; what stood already is counted apart. */
  readonly recorded: number;
  readonly standing: number;
  readonly refused: readonly Refused[];
  readonly violations: readonly string[];
  readonly faults: readonly string[];
  /** Why it stopped half way. Put right what it says, and run it again: what was sent is not recorded twice. */
  readonly stopped?: string;
}

/** What was asked and the law refuses: it is on record, with its findings. */
export interface Refused {
  readonly place: string;
  readonly name: string;
  readonly id: string;
  readonly findings: readonly string[];
}

export interface ImportAsked extends Asked {
  readonly file: string;
  readonly text: string;
  readonly mapping: Mapping;
  readonly server: Server;
  /** Check alone: everything is asked of the server, and nothing is recorded. */
  readonly dryRun?: boolean | undefined;
}

/** Calls that are under way at once, each on another thing. */
const AT_ONCE = 8;

/**
 * Reads a file, checks every row here and at the server (a dry run), and sends them only when none is at fault: a log of
 * which half is recorded is worse than one that is not.
 */
export async function runImport(asked: ImportAsked): Promise<Imported> {
  const { mapping, server } = asked;
  const isGeoJson = /\.(geo)?json$/i.test(asked.file);
  const rows = isGeoJson ? readGeoJson(asked.text) : readCsv(asked.text, mapping.delimiter);
  const { calls, skipped, faults } = callsOf(rows, mapping, asked);
  const counted = { rows: calls.length, skipped, recorded: 0, standing: 0, refused: [], violations: [] };
  if (faults.length > 0) return { ...counted, faults: faults.map(faultText) };
  const lookUps = new LookUps(server, mapping);
  const toSend: Call[] = [];
  let standing = 0;
  const found = new Map<string, readonly RowFault[]>();
  await inLanes(calls, async (call) => {
    const complete = await lookUps.complete(call);
    if ('why' in complete) found.set(call.place, [complete]);
    else {
      const tried = await tryOut(server, complete, mapping.imports, lookUps);
      if (tried === 'standing') standing++;
      else if (isTaken(tried)) toSend.push(complete);
      else found.set(call.place, faultsOf(complete, tried));
    }
    return true;
  });
  const atServer = calls.flatMap(({ place }) => found.get(place) ?? []);
  if (atServer.length > 0) return { ...counted, faults: atServer.map(faultText) };
  if (asked.dryRun) return { ...counted, standing, faults: [] };
  const sent = await send(server, inOrder(calls, toSend));
  return { ...counted, ...sent, standing: standing + sent.standing, faults: [] };
}

/** The order of the file again: look-ups end as they end. */
function inOrder(calls: readonly Call[], completed: readonly Call[]): readonly Call[] {
  const byKey = new Map(completed.map((call) => [call.key, call]));
  return calls.flatMap(({ key }) => byKey.get(key) ?? []);
}

async function send(server: Server, calls: readonly Call[]) {
  let [recorded, standing] = [0, 0];
  let stopped: string | undefined;
  const refused: Refused[] = [];
  const violations = new Set<string>();
  await inLanes(calls, async (call) => {
    if (stopped !== undefined) return false;
    const answered = await callOrAway(server, call);
    if (answered instanceof ServerAway) {
      stopped ??= `${call.place}: ${answered.message}\nRows before it are recorded, and it may be; run the import again: nothing is recorded twice.`;
      return false;
    }
    const { status, body } = answered;
    if (status === 201) recorded++;
    else if (status === 200) standing++;
    else if (isTaken(answered)) refused.push(refusal(call, body));
    else {
      stopped ??= `${faultsOf(call, answered).map(faultText).join('\n')}\nRows before it are recorded; put it right and run the import again.`;
      return false;
    }
    for (const id of (body['violations'] ?? []) as readonly string[]) violations.add(id);
    return true;
  });
  return {
    recorded,
    standing,
    refused,
    violations: [...violations],
    ...(stopped !== undefined && { stopped }),
  };
}

/** Half way nobody may lose the account of what is recorded: a server that goes away is an answer too. */
const callOrAway = (server: Server, { path, body, key }: Call): Promise<Answered | ServerAway> =>
  server.call('POST', path, body, key).catch((error: unknown) => {
    if (error instanceof ServerAway) return error;
    throw error;
  });

/** One thing's calls one after another, in the order of the file; things beside each other. */
async function inLanes(calls: readonly Call[], run: (call: Call) => Promise<boolean>): Promise<void> {
  const byThing = new Map<string, Call[]>();
  for (const call of calls) {
    const lane = byThing.get(call.lane);
    if (lane) lane.push(call);
    else byThing.set(call.lane, [call]);
  }
  const lanes = [...byThing.values()];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let lane = lanes[next++]; lane; lane = lanes[next++]) {
      for (const call of lane) if (!(await run(call))) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, lanes.length) }, worker));
}

/**
 * What the server would answer. A thing that stands is in the way of its own registration, and a manifest that was asked
 * can't be asked for a time that is over: under the key that they came with they are answered again. What a dry run
 * refuses is refused then too, so nothing is written either way.
 */
async function tryOut(
  server: Server,
  call: Call,
  imports: Mapping['imports'],
  lookUps: LookUps,
): Promise<Answered | 'standing'> {
  const tried = await server.call('POST', `${call.path}?dryRun=true`, call.body);
  const { events } = tried.body;
  if (isTaken(tried)) return Array.isArray(events) && events.length === 0 ? 'standing' : tried;
  const mayStand =
    (imports === 'subjects' && tried.status === 409) ||
    (imports === 'manifests' && (await lookUps.isAsked(call)));
  if (!mayStand) return tried;
  const again = await server.call('POST', call.path, call.body, call.key);
  return isTaken(again) ? 'standing' : again;
}

const isTaken = ({ status, body }: Answered): boolean =>
  status < 300 || (status === 422 && plain(body['type']).endsWith('/refused'));

function refusal({ place, name }: Call, body: JsonObject): Refused {
  const findings = (body['findings'] ?? []) as readonly JsonObject[];
  const told = findings
    .filter(({ status }) => status === 'violated')
    .map(({ clause, cite, text }) => `${plain(clause)} (${plain(cite)}): ${plain(text)}`);
  return { place, name, id: plain(body['id']), findings: told };
}

/** What the server finds wrong with a row, by the columns of the file. */
function faultsOf({ place, columns }: Call, { status, body }: Answered): readonly RowFault[] {
  const errors = Array.isArray(body['errors'])
    ? (body['errors'] as readonly unknown[]).filter(isJsonObject)
    : [];
  if (errors.length === 0) return [{ place, why: `${detailOf(body)} (${status})` }];
  return errors.map(({ pointer, detail, hint }) => {
    const column = typeof pointer === 'string' ? columnOf(pointer, columns) : undefined;
    const what = hint === undefined ? plain(detail) : `${plain(detail)} (${plain(hint)})`;
    return { place, column: column ?? (typeof pointer === 'string' ? pointer : undefined), why: what };
  });
}

/** The nearest place above that came from a column: /quantity/value came with /quantity. */
function columnOf(pointer: string, columns: Call['columns']): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const column = columns.get(at);
    if (column !== undefined) return column;
  }
  return undefined;
}
