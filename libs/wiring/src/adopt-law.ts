import { decideAdoption, eventTypes, textKey, type LawAdopted, type LawState } from '@headworks/domain';
import { StartRefused } from '@headworks/event-store';
import { CodedError, nameId, type RecordedEvent } from '@headworks/kernel';
import type { RuleFile, RuleSet } from '@headworks/rules-engine';
import { laws, lawStream, type StreamRunner } from '@headworks/use-cases';

/** Bytes of a text at most, so that it fits an event with room to spare. */
export const MOST_TEXT = 200 * 1024;

const asAdopted = (file: RuleFile): LawAdopted => ({
  kind: file.kind,
  id: file.id,
  version: file.version,
  status: file.status,
  sha256: file.sha256,
  text: file.text,
  inForce: file.inForce,
});

const filesOf = (rules: RuleSet, jurisdiction: string): readonly RuleFile[] =>
  rules.files.filter((file) => file.jurisdictions.includes(jurisdiction));

/** What the log can't take: texts that are too long, and acts that take the name of a fixed event. */
export function checkRuleFiles(rules: RuleSet): void {
  const faults = rules.files
    .filter(({ text }) => Buffer.byteLength(text) > MOST_TEXT)
    .map(({ path }) => `${path} is longer than 200 KB, more than the log takes; move tables out of it.`);
  for (const pack of [...rules.packs.values()].flat()) {
    for (const act of pack.acts.values()) {
      if (!eventTypes.get(act.event)) continue;
      faults.push(
        `Pack '${pack.ref.pack}', act '${act.name}': the event name ${act.event} is the program's own; use another.`,
      );
    }
  }
  if (faults.length > 0) throw new StartRefused(faults.join('\n'));
}

/**
 * Why a jurisdiction's writes are refused here: its texts are not those of the log. It changes while the process runs,
 * when another one adopts another text.
 */
export type LawFaults = Map<string, string>;

/** Appends each text that the log does not have to its jurisdictions' streams; nobody decides before. */
export async function adoptLaw(
  rules: RuleSet,
  runner: StreamRunner,
  { now, monotonic }: { readonly now: string; readonly monotonic: () => number },
): Promise<LawFaults> {
  const faults: LawFaults = new Map();
  for (const jurisdiction of rules.jurisdictions.keys()) {
    const files = filesOf(rules, jurisdiction);
    const commandId = nameId('adopt', jurisdiction, now, ...files.map(({ id, sha256 }) => `${id}:${sha256}`));
    try {
      const { state } = await runner.run<LawState>(laws, lawStream(jurisdiction), {
        commandId,
        envelope: {
          occurred: { at: now },
          actor: { id: 'headworks', roles: ['automation'] },
          jurisdiction,
          correlationId: commandId,
          commandId,
        },
        receivedAt: now,
        deadline: monotonic() + 60_000,
        decide: (law) => decideAdoption(files.map(asAdopted), law),
      });
      const missing = missingFile(state, files);
      if (missing !== undefined) faults.set(jurisdiction, missing);
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'law-not-adopted') throw error;
      faults.set(jurisdiction, error.message);
    }
  }
  return faults;
}

function missingFile(law: LawState, files: readonly RuleFile[]): string | undefined {
  const here = new Set(files.map(textKey));
  const gone = [...law.texts.values()].find((text) => !here.has(textKey(text)));
  return (
    gone &&
    `The log has adopted ${gone.kind} '${gone.id}' version ${gone.version}, which RULES_DIR lacks; put that file back.`
  );
}

/** Another process adopted a text: where ours is another one, we stop deciding under it. */
export function noticeAdoption(rules: RuleSet, faults: LawFaults, event: RecordedEvent): void {
  const { jurisdiction } = event.metadata;
  if (event.type !== 'LawAdopted' || jurisdiction === undefined) return;
  const text = event.data as LawAdopted;
  const ours = filesOf(rules, jurisdiction).find((file) => textKey(file) === textKey(text));
  if (ours?.sha256 === text.sha256) {
    faults.delete(jurisdiction);
    return;
  }
  const file = ours ? `${ours.path} here is another text` : `RULES_DIR here lacks it`;
  faults.set(
    jurisdiction,
    `The log has adopted ${text.kind} '${text.id}' version ${text.version}, and ${file}; start again with that text.`,
  );
}
