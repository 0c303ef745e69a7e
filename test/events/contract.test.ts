import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { factSchemas } from '../../events/fact-schemas.ts';
import { jsonSchemaOf } from '../../events/json-schema.ts';
import {
  commandSchemas,
  eventSchemas,
  hookSchemas,
  inSchemas,
  isEventType,
  parseEvent,
} from '../../events/types.ts';
import { examples } from './examples.ts';

const folder = new URL('../../events/', import.meta.url);
const types = Object.keys(eventSchemas).filter(isEventType);
const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

// UPDATE_EVENTS=1 writes what the code says; the difference is then for a person to read.
if (process.env.UPDATE_EVENTS === '1') {
  mkdirSync(new URL('samples/', folder), { recursive: true });
  for (const type of types) {
    writeFileSync(new URL(`${type}.schema.json`, folder), print(jsonSchemaOf(type)));
    writeFileSync(new URL(`samples/${type}.json`, folder), print(examples[type]));
  }
}

const read = (path: string): string => readFileSync(new URL(path, folder), 'utf8');

const kinds = { in: inSchemas, command: commandSchemas, fact: factSchemas, hook: hookSchemas };
const kindOf = (type: string) => Object.entries(kinds).find(([, schemas]) => type in schemas)?.[0];

describe.each(types)('%s', (type) => {
  test('has the JSON Schema that the code has', () => {
    expect(read(`${type}.schema.json`), 'stale: run this test with UPDATE_EVENTS=1').toBe(
      print(jsonSchemaOf(type)),
    );
  });

  test('has a sample as the code makes it, and it parses to itself', () => {
    const sample = read(`samples/${type}.json`);
    expect(sample, 'stale: run this test with UPDATE_EVENTS=1').toBe(print(examples[type]));
    expect(parseEvent(JSON.parse(sample), [type])).toEqual({ kind: 'event', event: JSON.parse(sample) });
  });

  test('has a sample that its JSON Schema accepts too', () => {
    const schema = z.fromJSONSchema(JSON.parse(read(`${type}.schema.json`)));
    const sample = JSON.parse(read(`samples/${type}.json`));
    expect(schema.safeParse(sample).error).toBeUndefined();
    expect(schema.safeParse({ ...sample, id: '' }).success).toBe(false);
  });

  test('has a line in the README that says its kind', () => {
    expect(read('README.md')).toContain(`| \`${type}\` | ${kindOf(type)} |`);
  });
});

test('every schema and every sample belongs to a type', () => {
  const schemas = readdirSync(folder).filter((name) => name.endsWith('.schema.json'));
  expect(schemas.toSorted()).toEqual(types.map((type) => `${type}.schema.json`).toSorted());
  expect(readdirSync(new URL('samples/', folder)).toSorted()).toEqual(
    types.map((type) => `${type}.json`).toSorted(),
  );
});

test('every type is of one kind', () => {
  const each = Object.values(kinds).flatMap((schemas) => Object.keys(schemas));
  expect(each.toSorted()).toEqual(types.toSorted());
});
