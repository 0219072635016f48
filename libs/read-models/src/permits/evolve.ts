import { occurredMs } from '@headworks/calendars';
import {
  endsAt,
  evolveFile,
  lasts,
  phaseAt,
  type ApplicationApproved,
  type ApplicationDeemedApproved,
  type ApplicationDenied,
  type ApplicationFiled,
  type PermitFile,
  type PermitIssued,
  type Phase,
} from '@headworks/domain';
import { isoInstant, type JsonObject, type RecordedEvent } from '@headworks/kernel';
import { idOfStream, keyColumn } from '../thing';
import { flag, type View } from '../view';
import { permitsTable, type PermitRow } from './table';

/** Permits as they stand. It is the domain's own fold of the file, carried on from the row. */
export const permitsView: View<PermitRow> = {
  ...permitsTable,
  partsOf: ({ stream, type }) => (stream.startsWith('permit-') && isOfFile(type) ? [stream] : []),
  evolve([row], event) {
    const file = evolveFile(row?.doc.file ?? { steps: [] }, shortened(event));
    if (file === row?.doc.file) return [row];
    const next = rowOf(file, event, row);
    return next ? [next] : [];
  },
};

/** Facts, acts and loads of a permit are many, and change nothing of its row. */
const isOfFile = (type: string): boolean =>
  /^(Application|Information|Permit)/.test(type) || ['RecordedInError', 'ConsequenceReversed'].includes(type);

/** The event without what no list shows: of each step only what the phase is read from. */
function shortened(event: RecordedEvent): RecordedEvent {
  const data = dataOf(event);
  return data ? { ...event, data } : event;
}

function dataOf({ type, data }: RecordedEvent): JsonObject | undefined {
  switch (type) {
    case 'ApplicationFiled': {
      const { pack, permitType, applicant, renews } = data as ApplicationFiled;
      return {
        pack,
        permitType,
        applicant,
        ...(renews !== undefined && { renews }),
        facts: {},
        findings: [],
      };
    }
    case 'ApplicationApproved': {
      const { waived } = data as ApplicationApproved;
      return { waived: waived.map(({ clause, power }) => ({ clause, power })) };
    }
    case 'ApplicationDenied': {
      const { notRenewed } = data as ApplicationDenied;
      return notRenewed === true ? { notRenewed } : {};
    }
    case 'ApplicationDeemedApproved': {
      const { leave } = data as ApplicationDeemedApproved;
      return leave ? { leave } : {};
    }
    case 'PermitIssued': {
      const { findings: _findings, ...issued } = data as PermitIssued;
      return issued;
    }
    case 'PermitNumbered':
    case 'PermitRenewed':
    case 'RecordedInError':
    case 'ConsequenceReversed':
      return undefined;
    default:
      return {};
  }
}

function rowOf(
  file: PermitFile,
  { stream, metadata }: RecordedEvent,
  before: PermitRow | undefined,
): PermitRow | undefined {
  const { filed, number, renewedBy } = file;
  if (!filed) return undefined;
  const phase = phaseAt(file);
  const issued = issuedIn(phase);
  const filedAt = before?.filed_at ?? isoInstant(occurredMs(metadata.occurred));
  return {
    id: idOfStream(stream),
    part: stream,
    jurisdiction: metadata.jurisdiction ?? before?.jurisdiction ?? '',
    pack: filed.pack,
    permit_type: filed.permitType,
    holder_kind: filed.applicant.kind,
    holder_key: keyColumn(filed.applicant.key),
    phase: phase.is,
    phase_since: 'step' in phase ? isoInstant(phase.step.key.ms) : filedAt,
    series: number?.series ?? null,
    number: number?.number ?? 0,
    filed_at: filedAt,
    valid_from: issued?.valid.from ?? null,
    valid_until: issued?.valid.until ?? null,
    ends_at: lasts(phase) ? endsAt(phase.issued) : null,
    is_renewal: flag(filed.renews !== undefined),
    is_renewed: flag(renewedBy !== undefined),
    has_waiver: flag(
      file.steps.some(
        ({ type, data }) =>
          type === 'ApplicationApproved' && (data as unknown as ApplicationApproved).waived.length > 0,
      ),
    ),
    doc: { file, recordedAt: before?.doc.recordedAt ?? metadata.recordedAt },
  };
}

const issuedIn = (phase: Phase): PermitIssued | undefined => ('issued' in phase ? phase.issued : undefined);
