import { Registry, type JsonObject } from '@headworks/kernel';

export interface EventType {
  /** Version of the shape of `data`; an older one in a log is upcast after verifying. */
  readonly schema: number;
  /** Fields of `data` that are personal: JSON pointers, `*` for each element of an array. */
  readonly personal?: readonly string[];
  /** It follows from the law by itself: whoever recorded what showed it did not do it, and gives no excuse for it. */
  readonly follows?: true | ((data: JsonObject) => boolean);
}

const at = (schema: number, ...personal: string[]): EventType =>
  personal.length > 0 ? { schema, personal } : { schema };
const follows = (schema: number, follow: EventType['follows'] = true): EventType => ({
  schema,
  follows: follow,
});

/** Every fixed event type. A pack that declares an event of one of these names does not load. */
export const eventTypes = new Registry<EventType>('event type')
  .add('LogOpened', at(1))
  .add('ClockMoved', at(1))
  .add('PersonErased', at(1))
  .add('LawAdopted', at(1))
  .add('CalendarAmended', at(1))
  .add('ClosedDaysAnnulled', at(1))
  .add('SubjectRegistered', at(1))
  .add('FactsRecorded', at(1))
  .add('FactsCorrected', at(1))
  .add('RecordedInError', at(1))
  .add('ActRefused', at(1))
  .add('SubjectSuperseded', at(1))
  .add('BroughtForward', at(1))
  .add('LoadPosted', at(1))
  .add('PostingReversed', at(1))
  .add('LimitExceeded', follows(1))
  .add('LimitExceededWithdrawn', follows(1))
  .add('DutyMissed', follows(1))
  .add('ConsequenceReversed', at(1))
  .add('DutyMoved', follows(1))
  .add('ConsequenceConfirmed', at(1))
  .add('DutyExtended', at(1))
  .add('DutyWaived', at(1))
  .add('ReminderStarted', at(1))
  .add('ReminderSent', at(1))
  .add('LoadDischarged', at(1, '/signedBy', '/sources/*/location', '/sources/*/generator'))
  .add('LoadCorrected', at(1))
  .add('LoadJudged', at(1))
  .add('ViolationDetected', at(1))
  .add('ViolationAbated', at(1))
  .add('ViolationRelapsed', at(1))
  .add('ViolationWithdrawn', at(1))
  .add('ApplicationFiled', at(1))
  .add('InformationRequested', at(1))
  .add('InformationReceived', at(1))
  // The office calls it complete, or its silence does.
  .add(
    'ApplicationCompleted',
    follows(1, (data) => 'duty' in data),
  )
  .add('ApplicationApproved', at(1))
  // Somebody denies an application, or nobody's deciding it in time does.
  .add(
    'ApplicationDenied',
    follows(1, (data) => 'duty' in data),
  )
  .add('ApplicationDeemedApproved', follows(1))
  .add('ApplicationWithdrawn', at(1))
  .add('PermitIssued', at(1))
  .add('PermitNumbered', at(1))
  .add('PermitConditioned', at(1))
  .add('PermitSuspended', at(1))
  .add('PermitReinstated', at(1))
  .add('PermitRevoked', at(1))
  .add('PermitExpired', follows(1))
  // An officer voids a permit, or the end of its validity or a duty that was missed does.
  .add(
    'PermitVoided',
    follows(1, (data) => 'valid' in data || 'duty' in data),
  )
  .add('PermitRenewed', at(1))
  .add('ManifestSubmitted', at(1, '/signedBy', '/sources/*/location', '/sources/*/generator'))
  .add('ManifestPending', at(1))
  .add('CapacityReserved', at(1))
  .add('ManifestAccepted', at(1))
  .add('ManifestRefused', at(1))
  .add('AcceptanceWithdrawn', at(1));

/** Acts share one shape whatever their name. */
const ACT: EventType = { schema: 1 };

export function eventType(type: string): EventType {
  const found = eventTypes.get(type) ?? (type.includes('.') ? ACT : undefined);
  if (!found)
    throw new Error(`The event type '${type}' is not registered; add it to the registry of event types.`);
  return found;
}

export const isAct = (type: string): boolean => type.includes('.');
