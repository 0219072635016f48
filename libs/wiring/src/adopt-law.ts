import { decideAdoption, type LawAdopted, type LawState } from '@headworks/domain';
import { CodedError, nameId } from '@headworks/kernel';
import type { RuleFile, RuleSet } from '@headworks/rules-engine';
import { laws, lawStream, type StreamRunner } from '@headworks/use-cases';

/** The text of a file as the log adopts it. At most 200 KB, so that it fits an event. */
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

export interface Adoption {
  /** Why a jurisdiction's writes are refused here: its texts are not those of the log. */
  readonly faults: ReadonlyMap<string, string>;
}

/** Appends each text that the log does not have to its jurisdictions' streams; nobody decides before. */
export async function adoptLaw(
  rules: RuleSet,
  runner: StreamRunner,
  { now, monotonic }: { readonly now: string; readonly monotonic: () => number },
): Promise<Adoption> {
  const faults = new Map<string, string>();
  for (const jurisdiction of rules.jurisdictions.keys()) {
    const files = rules.files.filter((file) => file.jurisdictions.includes(jurisdiction)).map(asAdopted);
    if (files.length === 0) continue;
    const commandId = nameId('adopt', jurisdiction, ...files.map(({ id, sha256 }) => `${id}:${sha256}`));
    try {
      await runner.run<LawState>(laws, lawStream(jurisdiction), {
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
        decide: (state) => decideAdoption(files, state),
      });
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'law-not-adopted') throw error;
      faults.set(jurisdiction, error.message);
    }
  }
  return { faults };
}
