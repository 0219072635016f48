import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { rowOf, type Endpoint } from '../access/access';
import { QUERY_OF } from '../http/described';
import { problemsTable } from '../http/problems';
import { shownSchemas, type Schema } from '../shapes/schemas';
import { answerSchemas } from './answers';

type Operation = Record<string, unknown>;
const METHODS = ['get', 'post', 'put'] as const;

const INTRODUCTION = `Everything that can be asked of Headworks and recorded in it.

- **Who asks.** \`Authorization: Bearer\` with an API key (\`hw_...\`) or, where an issuer is set, an access token of it. Either is of jurisdictions and roles; another agency's object is not found, and a holder sees and files its own alone.
- **Exact numbers.** Amounts are decimal strings with a unit. Strings or JSON numbers come in; strings go out.
- **When.** \`occurredAt\` is an instant with its offset, never later than now. More than ten minutes ago needs a role, a \`reason\` and \`evidence\`.
- **Once.** \`Idempotency-Key\` on a write: the same call again is answered, not written again.
- **Dry.** \`?dryRun=true\` on a write decides and answers, and writes nothing.
- **Then and now.** \`?asOf=\` what had occurred by then; \`?knownAt=\` what was on record then.
- **Your own writes.** Writes answer a \`position\`; a read with \`?atLeast=\` that sees them. Lists always do.

## Problems

Errors are \`application/problem+json\` (RFC 9457), all that is wrong at once. \`type\` is \`https://headworks.invalid/problems/\` and one of:

`;

/** The document, OpenAPI 3.1: routes and words from the controllers, shapes from the DTOs, roles from the table. */
export function documentOf(nest: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Headworks')
    .setVersion('1')
    .setDescription(`${INTRODUCTION}${problemsTable()}\n`)
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'An API key (hw_...), or an access token' },
      'key',
    )
    .build();
  const document = SwaggerModule.createDocument(nest, config, {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  const shown = shownSchemas();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as unknown as Operation | undefined;
      if (!operation) continue;
      const row = rowOf(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'));
      item[method] = finished(operation, row, shown) as unknown as NonNullable<typeof item.get>;
    }
  }
  const schemas = { ...answerSchemas(), ...bodiesOf(shown, document) };
  return { ...document, components: { ...document.components, schemas } };
}

/** DTOs of bodies and what they hold; those of parameters are written out where they are used. */
function bodiesOf(shown: Readonly<Record<string, Schema>>, document: OpenAPIObject) {
  const wanted = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (wanted.has(name)) continue;
      wanted.add(name);
      if (shown[name]) visit(shown[name]);
    }
  };
  visit(document.paths);
  return Object.fromEntries(Object.entries(shown).filter(([name]) => wanted.has(name)));
}

function finished(
  { [QUERY_OF]: queryName, ...operation }: Operation,
  row: Endpoint | undefined,
  shown: Readonly<Record<string, Schema>>,
): Operation {
  const query = shown[queryName as string];
  const writes = operation['requestBody'] !== undefined;
  const path = (operation['parameters'] as readonly { readonly in: string }[]).filter((p) => p.in === 'path');
  const dryRun = Object.hasOwn(query?.['properties'] ?? {}, 'dryRun');
  const who = row?.who ?? [];
  const responses = operation['responses'] as Readonly<Record<string, { readonly description: string }>>;
  const refused = responses['422']?.description ?? 'The Idempotency-Key stands for another request.';
  return {
    ...operation,
    parameters: [...path, ...parametersOf(query), ...(dryRun ? [IDEMPOTENCY_KEY] : [])],
    security: who === 'anyone' ? [] : [{ key: [] }],
    'x-roles': who,
    responses: {
      ...responses,
      ...(dryRun && { 422: { ...PROBLEM, description: refused } }),
      ...problemsOf(who, writes, path.length > 0),
    },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Names this very request: sent again, it is answered as the first time and not written again.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

function parametersOf(query: Schema | undefined): readonly object[] {
  const { properties = {}, required = [] } = (query ?? {}) as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}

const PROBLEM = {
  description: 'A problem.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function problemsOf(who: Endpoint['who'], writes: boolean, named: boolean): Readonly<Record<number, object>> {
  const problem = (description: string) => ({ ...PROBLEM, description });
  const known = who !== 'anyone';
  return {
    400: problem('Malformed or impossible; every place is named.'),
    ...(known && { 401: problem('No key, or none that is good.'), 403: problem('The role may not.') }),
    ...(known && (named || writes) && { 404: problem('Nothing of that name here.') }),
    ...(known && {
      409: problem(`${writes ? 'Something else stands there, or the' : 'The'} sandbox clock is not set.`),
    }),
    ...(known && !writes && { 410: problem('The position asked for is of another log.') }),
    ...(writes && {
      413: problem('Too large.'),
      415: problem('Not JSON.'),
    }),
    503: problem('Not now; try again.'),
  };
}
