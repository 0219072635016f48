import { isJsonObject, type JsonObject, type JsonValue } from '@headworks/kernel';
import type { RuleSet } from '@headworks/rules-engine';
import { thing, valueOf, type About } from './told';

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function named(value: JsonValue | undefined): string {
  const { kind, key } = isJsonObject(value) ? value : {};
  return thing({ kind: text(kind), key: text(key) });
}

/** What a permit's paper says above its entries: number, holder, days, how it stands. */
export function aboutPermit(permit: JsonObject): About {
  const {
    title,
    number,
    series,
    applicant,
    jurisdiction,
    cite,
    pack,
    packVersion,
    status,
    since,
    valid,
    id,
  } = permit;
  const isNumbered = typeof number === 'number';
  return {
    title: isNumbered ? `${text(title)}, no. ${number}` : `${text(title)}: application`,
    jurisdiction: text(jurisdiction),
    lines: [
      ['Permit number', isNumbered ? `${number}, in the register ${text(series)}` : 'none yet'],
      ['Holder', named(applicant)],
      ['Under', `${text(cite)} (${text(pack)}, version ${text(packVersion)})`],
      ['Stands', `${text(status).replaceAll('_', ' ')} since ${text(since)}`],
      [
        'Valid',
        isJsonObject(valid) ? `${text(valid['from'])} to ${text(valid['until'])}, both in` : 'not issued',
      ],
      ['Id', text(id)],
    ],
  };
}

export function aboutSubject(subject: JsonObject, kind: string): About {
  const { key, name, jurisdiction, id, registered } = subject;
  const called = typeof key === 'string' ? `${kind} ${key}` : `${kind} ${text(id)}`;
  return {
    title: typeof name === 'string' ? `${called} (${name})` : called,
    jurisdiction: text(jurisdiction),
    lines: [
      ['Registered', valueOf(registered ?? false)],
      ['Id', text(id)],
    ],
  };
}

export function aboutLoad(load: JsonObject): About {
  const { ticket, hauler, subject, quantity, occurredAt, jurisdiction, pack, voided, id } = load;
  return {
    title: `Load ${text(ticket)} of ${named(hauler)}`,
    jurisdiction: text(jurisdiction),
    lines: [
      ['On', named(subject)],
      ['Quantity', valueOf(quantity)],
      ['Begun', text(occurredAt)],
      ['Under', text(pack)],
      ...(voided === true ? [['Stands', 'void: recorded in error'] as const] : []),
      ['Id', text(id)],
    ],
  };
}

export function aboutManifest(manifest: JsonObject): About {
  const { ticket, hauler, subject, quantity, plannedAt, until, status, jurisdiction, pack, permitId, id } =
    manifest;
  return {
    title: `Manifest ${text(ticket)} of ${named(hauler)}`,
    jurisdiction: text(jurisdiction),
    lines: [
      ['To', named(subject)],
      ['Quantity', valueOf(quantity)],
      ['Planned', `${text(plannedAt)}, and until ${text(until)}`],
      ['Stands', text(status)],
      ['Under', `${text(pack)}, permit ${text(permitId)}`],
      ['Id', text(id)],
    ],
  };
}

/** Whose law a pack is: a violation says its pack alone. */
export const jurisdictionOf = (rules: RuleSet, pack: JsonValue | undefined): string =>
  rules.packs.get(text(pack))?.at(-1)?.jurisdiction ?? '';

export function aboutViolation(violation: JsonObject, jurisdiction: string): About {
  const { clause, cite, responsible, subject, status, from, until, days, pack, packVersion, id } = violation;
  return {
    title: `Violation of ${text(clause)}, ${text(cite)}`,
    jurisdiction,
    lines: [
      ['Answers for it', named(responsible)],
      ['On', named(subject)],
      ['Under', `${text(pack)}, version ${text(packVersion)}`],
      ['Stands', `${text(status)}, from ${text(from)}${typeof until === 'string' ? ` to ${until}` : ''}`],
      ['Days', valueOf(days)],
      ['Id', text(id)],
    ],
  };
}
