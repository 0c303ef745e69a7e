import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import {
  deleteAnswerSchema,
  errorAnswerSchema,
  existsAnswerSchema,
  limits,
  operations,
  pathOf,
  reasonSchema,
  reportAnswerSchema,
  requestSchema,
  statuses,
} from '../../../shared/actuator/contract.ts';

const text = readFileSync(new URL('../../../infra/actuator/openapi.yaml', import.meta.url), 'utf8');

const contentSchema = z.strictObject({
  'application/json': z.strictObject({
    schema: z.strictObject({ $ref: z.string() }),
    examples: z.record(z.string(), z.strictObject({ summary: z.string().optional(), value: z.unknown() })),
  }),
});
const bodySchema = z.looseObject({ content: contentSchema });
const referenceSchema = z.strictObject({ $ref: z.string() });

const document = z
  .looseObject({
    openapi: z.string(),
    info: z.looseObject({ description: z.string() }),
    security: z.tuple([z.strictObject({ token: z.tuple([]) })]),
    paths: z.record(
      z.string(),
      z.strictObject({
        post: z.looseObject({
          operationId: z.string(),
          requestBody: referenceSchema,
          responses: z.record(z.string(), z.union([referenceSchema, bodySchema])),
        }),
      }),
    ),
    components: z.looseObject({
      schemas: z.record(z.string(), z.unknown()),
      responses: z.record(z.string(), bodySchema),
      requestBodies: z.record(z.string(), bodySchema),
    }),
  })
  .parse(parse(text));

type Schema = Record<string, unknown>;
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (value: unknown, key: string): unknown => (isSchema(value) ? value[key] : undefined);

/** What a reference of the document leads to. */
const follow = (reference: string): unknown =>
  reference.replace(/^#\//, '').split('/').reduce<unknown>(at, document);

/** Only for readers, or said by leaving things out. */
const saysNothing = ['description', 'examples', '$schema', 'additionalProperties', 'propertyNames'];

/** A schema of the document or of zod's in one form: references followed, `or null` as a second type. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isSchema(value)) return value;
  if (typeof value['$ref'] === 'string') return plain(follow(value['$ref']));
  const [given, orNull] = Array.isArray(value['anyOf']) ? value['anyOf'].map(plain) : [];
  if (isSchema(given) && isSchema(orNull) && orNull['type'] === 'null') {
    return { ...given, type: [given['type'], 'null'] };
  }
  const kept = Object.entries(value).filter(([key, part]) => !saysNothing.includes(key) && !isEmpty(part));
  return Object.fromEntries(kept.map(([key, part]) => [key, plainPart(key, part)]));
}

const isEmpty = (part: unknown): boolean => isSchema(part) && Object.keys(part).length === 0;

/** Properties are named by the author, not by JSON Schema: one may be called like a keyword. */
function plainPart(key: string, part: unknown): unknown {
  if (key === 'required' && Array.isArray(part)) return part.map(String).toSorted();
  if (key !== 'properties' || !isSchema(part)) return plain(part);
  return Object.fromEntries(Object.entries(part).map(([name, schema]) => [name, plain(schema)]));
}

const schemas: Record<string, z.ZodType> = {
  Request: requestSchema,
  ExistsAnswer: existsAnswerSchema,
  Report: reportAnswerSchema,
  DeleteAnswer: deleteAnswerSchema,
  Error: errorAnswerSchema,
  MachineErrorReason: reasonSchema,
};

test.each(Object.entries(schemas))('the schema %s is the one that is spoken', (name, schema) => {
  expect(plain(document.components.schemas[name])).toEqual(plain(z.toJSONSchema(schema, { io: 'input' })));
});

test('every operation has its path, and no other path is there', () => {
  expect(Object.keys(document.paths)).toEqual(operations.map(pathOf));
  expect(Object.values(document.paths).map(({ post }) => post.operationId)).toEqual(operations);
});

describe.each(operations)('%s', (operation) => {
  const { requestBody, responses } = document.paths[pathOf(operation)]!.post;

  test('takes a Machine with its Cluster', () => {
    expect(requestBody.$ref).toBe('#/components/requestBodies/Target');
  });

  test('is answered with the statuses that are read, and those of a wrong request', () => {
    const done = operation === 'delete' ? statuses.accepted : statuses.done;
    const read = [...done, 400, 401, ...statuses.failed, ...statuses.retry];
    expect(Object.keys(responses)).toEqual(read.map(String).toSorted());
  });

  test.each(Object.keys(responses))('%s has the body that is read', (status) => {
    const given = responses[status];
    const { content } = bodySchema.parse(
      isSchema(given) && '$ref' in given ? follow(String(given['$ref'])) : given,
    );
    const schema = { exists: 'ExistsAnswer', create: 'Report', update: 'Report', delete: 'DeleteAnswer' }[
      operation
    ];
    expect(content['application/json'].schema.$ref).toBe(
      `#/components/schemas/${status.startsWith('2') ? schema : 'Error'}`,
    );
  });
});

/** Every example with the name of its schema. */
function examples(): [where: string, schema: string, value: unknown][] {
  const { responses, requestBodies } = document.components;
  const inline = Object.values(document.paths).flatMap(({ post }) =>
    Object.values(post.responses).filter((response) => 'content' in response),
  );
  const bodies = [...Object.values(responses), ...Object.values(requestBodies), ...inline];
  return bodies.flatMap((body) => {
    const { schema, examples: all } = bodySchema.parse(body).content['application/json'];
    const name = schema.$ref.replace(/^.*\//, '');
    return Object.entries(all).map(([key, { value }]): [string, string, unknown] => [key, name, value]);
  });
}

test.each(examples())('the example %s is a proper %s', (_, schema, value) => {
  expect(schemas[schema]!.safeParse(value).error).toBeUndefined();
});

test('the limits in the text are those that hold', () => {
  const { description } = document.info;
  expect(description).toContain(`up to ${limits.requestBytes / 2 ** 20} MiB`);
  expect(description).toContain(`more than ${limits.answerBytes / 2 ** 20} MiB`);
  expect(text).toContain(`Up to ${limits.messageBytes / 2 ** 10} KiB of it`);
});

test('every reference leads somewhere', () => {
  const references = [...text.matchAll(/\$ref: '([^']+)'/g)].map(([, reference = '']) => reference);
  expect(references.length).toBeGreaterThan(20);
  expect(references.filter((reference) => follow(reference) === undefined)).toEqual([]);
});
