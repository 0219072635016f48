import type { Facts } from '@headworks/domain';
import type { Fault } from '@headworks/kernel';
import type { Pack } from '@headworks/rules-engine';
import type { Caller } from '../../context';

/** A judgement is its body's to make: who asks for leave does not judge its own cause. */
export function judgementFaults(pack: Pack, { roles }: Caller, facts: Facts): readonly Fault[] {
  return Object.keys(facts).flatMap((fact) => {
    const def = pack.facts.get(fact);
    if (def?.type !== 'judgement') return [];
    const body = pack.bodies.get(def.by ?? '');
    if (!body || roles.includes(body.role) || roles.includes('admin')) return [];
    const detail = `Whether '${def.label}' is for the ${body.name} to say.`;
    return { pointer: `/facts/${fact}`, code: 'not-yours', detail, hint: 'leave it out: it is asked then' };
  });
}
