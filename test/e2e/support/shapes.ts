import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Answered } from './answered';

export interface Shapes {
  /** Fails where the answer is not what /openapi.json says of this path, method and status. */
  expectDocumented(method: string, path: string, answered: Answered): void;
}

interface Documented {
  readonly method: string;
  readonly pattern: RegExp;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>
  >;
}

/** Checks answers against the document: the schema of the status, or that of a problem. */
export function shapesOf(document: OpenAPIObject): Shapes {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  const check = (schema: object, what: string, body: unknown): void => {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
    const validate = ajv.compile(absolute);
    if (validate(body)) return;
    const found = JSON.stringify(body).slice(0, 2_000);
    throw new Error(`${what} is not what /openapi.json says: ${ajv.errorsText(validate.errors)} in ${found}`);
  };
  const operations = operationsOf(document);
  return {
    expectDocumented(method, path, { status, headers, body }) {
      const problem = headers.get('content-type')?.startsWith('application/problem+json') === true;
      if (status >= 400 && !path.startsWith('/health')) {
        if (!problem) throw new Error(`${method} ${path} answered ${status} and no problem+json`);
        check({ $ref: '#/components/schemas/Problem' }, `The problem of ${method} ${path}`, body);
      }
      const [plain = path] = path.split('?');
      const operation = operations.find((known) => known.method === method && known.pattern.test(plain));
      if (!operation || !path.startsWith('/v1')) return;
      const documented = operation.responses[String(status)];
      if (!documented)
        throw new Error(`${method} ${path} answered ${status}, which /openapi.json does not know`);
      const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
      if (!problem && documented.content && !(mediaType in documented.content)) {
        throw new Error(`${method} ${path} answered ${mediaType}, which /openapi.json does not know`);
      }
      const schema = documented.content?.['application/json']?.schema;
      if (schema && mediaType === 'application/json') check(schema, `The answer of ${method} ${path}`, body);
    },
  };
}

function operationsOf(document: OpenAPIObject): readonly Documented[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (['get', 'post', 'put'] as const).flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      const responses = operation.responses as Documented['responses'];
      return [{ method: method.toUpperCase(), pattern, responses }];
    }),
  );
}
