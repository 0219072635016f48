import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { recordableFacts } from '@headworks/domain';
import type { JsonObject } from '@headworks/kernel';
import type { Request } from '@headworks/use-cases';
import { Reader } from '../http/asked';
import { Reads } from '../http/described';
import { PROGRAM, type Program } from '../program';
import { PackQuery } from './pack.dto';
import {
  formOf,
  named,
  neededOf,
  packNamed,
  packsOf,
  shownPack,
  shownPermitType,
  shownSummary,
} from './shown-pack';

/** The law as data: what is in force, what it asks, and the forms of all that can be sent. */
@ApiTags('packs')
@Controller('v1/packs')
export class PacksController {
  constructor(@Inject(PROGRAM) private readonly program: Program) {}

  @Get()
  @Reads({ summary: 'List packs', query: PackQuery, answer: 'PackList' })
  list(@Reader() { caller }: Request, @Query() _query: PackQuery): JsonObject {
    return { items: packsOf(this.program.rules, caller).map(shownSummary), next: null };
  }

  @Get(':pack')
  @Reads({
    summary: 'Read a pack: versions, clauses with citation, readings, bodies, verbs',
    query: PackQuery,
    answer: 'Pack',
  })
  see(
    @Reader() { caller }: Request,
    @Param('pack') name: string,
    @Query() { version }: PackQuery,
  ): JsonObject {
    return shownPack(this.program.rules, packNamed(this.program.rules, caller, name, version));
  }

  @Get(':pack/assessments/:name')
  @Reads({ summary: 'What a check asks, as JSON Schema', query: PackQuery, answer: 'Form' })
  assessment(
    @Reader() { caller }: Request,
    @Param('pack') packName: string,
    @Param('name') name: string,
    @Query() { version }: PackQuery,
  ): JsonObject {
    const [pack] = packNamed(this.program.rules, caller, packName, version);
    const { question, judgedOn, clauses } = named('assessment', name, pack.assessments);
    const asked = [...pack.factsUsedBy(clauses)].filter((fact) => pack.facts.get(fact)?.type !== 'series');
    return { ...of(pack.ref), assessment: name, question, judgedOn, clauses, facts: formOf(pack, asked) };
  }

  @Get(':pack/kinds/:kind')
  @Reads({ summary: 'What is kept of a thing, as JSON Schema', query: PackQuery, answer: 'Form' })
  kind(
    @Reader() { caller }: Request,
    @Param('pack') packName: string,
    @Param('kind') name: string,
    @Query() { version }: PackQuery,
  ): JsonObject {
    const [pack] = packNamed(this.program.rules, caller, packName, version);
    const { kind, label, key, facts } = named('kind', name, pack.subjects);
    // What an act records is said by the act: it can't be sent as a plain fact.
    const recordable = recordableFacts(pack, name);
    const byActs = facts.filter((fact) => !recordable.includes(fact));
    return { ...of(pack.ref), kind, label, key, facts: formOf(pack, recordable), byActs };
  }

  @Get(':pack/acts/:act')
  @Reads({ summary: 'What an act records, as JSON Schema', query: PackQuery, answer: 'Form' })
  act(
    @Reader() { caller }: Request,
    @Param('pack') packName: string,
    @Param('act') name: string,
    @Query() { version }: PackQuery,
  ): JsonObject {
    const [pack] = packNamed(this.program.rules, caller, packName, version);
    const { label, cite, rows, on, by, event, records, needs } = named('act', name, pack.acts);
    const body = by.body === undefined ? undefined : pack.bodies.get(by.body);
    return {
      ...of(pack.ref),
      ...{ act: name, label, cite, rows, on, event: `${pack.ref.pack}.${event}`, needs },
      by: body ? { body: body.id, name: body.name, role: body.role } : { person: by.person ?? null },
      facts: pack.factSchema(records, neededOf(pack, records)),
    };
  }

  @Get(':pack/loads/:load')
  @Reads({ summary: 'What a load tells, as JSON Schema', query: PackQuery, answer: 'Form' })
  load(
    @Reader() { caller }: Request,
    @Param('pack') packName: string,
    @Param('load') name: string,
    @Query() { version }: PackQuery,
  ): JsonObject {
    const [pack] = packNamed(this.program.rules, caller, packName, version);
    const { label, on, judgedBy, countsIn, facts, permit, sources } = named('load', name, pack.loads);
    return {
      ...of(pack.ref),
      ...{ load: name, label, on, judgedBy, countsIn, facts: formOf(pack, facts) },
      ...(permit !== undefined && { permit }),
      ...(sources && { places: sources.kind }),
    };
  }

  @Get(':pack/permits/:type')
  @Reads({
    summary: 'What an application brings, as JSON Schema, and who decides it under which clauses',
    query: PackQuery,
    answer: 'PermitForm',
  })
  permit(
    @Reader() { caller }: Request,
    @Param('pack') packName: string,
    @Param('type') name: string,
    @Query() { version }: PackQuery,
  ): JsonObject {
    const [pack] = packNamed(this.program.rules, caller, packName, version);
    return { ...of(pack.ref), ...shownPermitType(pack, named('permit type', name, pack.permits)) };
  }

  @Get(':pack/manifests/:manifest')
  @Reads({ summary: 'What a manifest asks, as JSON Schema', query: PackQuery, answer: 'Form' })
  manifest(
    @Reader() { caller }: Request,
    @Param('pack') packName: string,
    @Param('manifest') name: string,
    @Query() { version }: PackQuery,
  ): JsonObject {
    const [pack] = packNamed(this.program.rules, caller, packName, version);
    const { label, cite, rows, on, permit, judgedBy, reservesIn, then, facts, sources, until } = named(
      'manifest',
      name,
      pack.manifests,
    );
    return {
      ...of(pack.ref),
      ...{ manifest: name, label, cite, rows, on, permit, judgedBy, reservesIn, load: then },
      until: typeof until === 'string' ? until : { ...until },
      ...(sources && { places: sources.kind }),
      facts: formOf(pack, facts),
    };
  }
}

const of = ({ pack, version }: { readonly pack: string; readonly version: string }) => ({
  pack,
  packVersion: version,
});
