import { describe, expect, test } from 'vitest';
import { CesqlSyntaxError } from '../../../infra/serverless/cesql/tokens.ts';
import { matcherOf } from '../../../infra/serverless/matcher.ts';
import type { Selection } from '../../../infra/serverless/model.ts';
import { recordedLines } from '../local/eventing/recording.ts';

const type = 'dev.knative.apiserver.resource.update';
const event = {
  specversion: '1.0',
  id: '1',
  source: 'https://127.0.0.1:17443',
  type,
  kind: 'Machine',
  name: 'worker-1',
  namespace: 'knfacts',
  attempt: '7',
};
const matches = (selection: Selection) => matcherOf(selection)(event);

interface Row {
  row: string;
  selection: Selection;
  match: boolean;
}

const measured: Row[] = [
  { row: 'filter.attributes exact type', selection: { filter: { attributes: { type } } }, match: true },
  {
    row: 'filter.attributes ext kind+name',
    selection: { filter: { attributes: { kind: 'Machine', name: 'worker-1' } } },
    match: true,
  },
  {
    row: 'filter.attributes empty string = any',
    selection: { filter: { attributes: { missing: '' } } },
    match: false,
  },
  {
    row: 'filter.attributes case differing value',
    selection: { filter: { attributes: { kind: 'machine' } } },
    match: false,
  },
  {
    row: 'filter.attributes source=""',
    selection: { filter: { attributes: { source: '' } } },
    match: true,
  },
  { row: 'exact', selection: { filters: [{ exact: { kind: 'Machine' } }] }, match: true },
  { row: 'exact missing attr', selection: { filters: [{ exact: { missing: 'x' } }] }, match: false },
  {
    row: 'exact two attrs in one',
    selection: { filters: [{ exact: { kind: 'Machine', name: 'worker-1' } }] },
    match: true,
  },
  { row: 'prefix type', selection: { filters: [{ prefix: { type: 'dev.knative.' } }] }, match: true },
  { row: 'suffix type', selection: { filters: [{ suffix: { type: '.update' } }] }, match: true },
  {
    row: 'any',
    selection: { filters: [{ any: [{ exact: { kind: 'Node' } }, { exact: { kind: 'Machine' } }] }] },
    match: true,
  },
  {
    row: 'all',
    selection: { filters: [{ all: [{ exact: { kind: 'Node' } }, { exact: { kind: 'Machine' } }] }] },
    match: false,
  },
  { row: 'not', selection: { filters: [{ not: { exact: { kind: 'Node' } } }] }, match: true },
  {
    row: 'not on missing attr',
    selection: { filters: [{ not: { exact: { missing: 'x' } } }] },
    match: true,
  },
  {
    row: 'list is AND',
    selection: { filters: [{ exact: { kind: 'Machine' } }, { exact: { kind: 'Node' } }] },
    match: false,
  },
  {
    row: 'cesql',
    selection: { filters: [{ cesql: "kind = 'Machine' AND name LIKE 'worker-%'" }] },
    match: true,
  },
  { row: 'cesql IN', selection: { filters: [{ cesql: "kind IN ('Node', 'Machine')" }] }, match: true },
  { row: 'cesql EXISTS', selection: { filters: [{ cesql: 'EXISTS kind' }] }, match: true },
  { row: 'cesql missing attr', selection: { filters: [{ cesql: "missing = 'x'" }] }, match: false },
  { row: 'cesql missing attr !=', selection: { filters: [{ cesql: "missing != 'x'" }] }, match: false },
  { row: 'cesql NOT EXISTS', selection: { filters: [{ cesql: 'NOT EXISTS missing' }] }, match: true },
  { row: 'cesql data', selection: { filters: [{ cesql: "data = 'x'" }] }, match: false },
  {
    row: 'filter and filters both (filters no-match)',
    selection: { filter: { attributes: { kind: 'Machine' } }, filters: [{ exact: { kind: 'Node' } }] },
    match: false,
  },
  {
    row: 'filter and filters both (filter no-match)',
    selection: { filter: { attributes: { kind: 'Node' } }, filters: [{ exact: { kind: 'Machine' } }] },
    match: true,
  },
  { row: 'empty filters list', selection: { filters: [] }, match: true },
  { row: 'prefix empty value', selection: { filters: [{ prefix: { kind: '' } }] }, match: true },
];

/** By reading or by definition. */
const unmeasured: Row[] = [
  { row: 'no filter at all', selection: {}, match: true },
  { row: 'prefix on an absent one', selection: { filters: [{ prefix: { missing: '' } }] }, match: false },
  { row: 'suffix on an absent one', selection: { filters: [{ suffix: { missing: '' } }] }, match: false },
];

describe('the dialects, row by row as measured', () => {
  test('the table is the recorded one, but for what is refused when a Trigger is made', () => {
    const recorded = recordedLines('trigger-filter-dialects.txt').filter(
      (line) => !line.includes('REJECTED'),
    );
    expect(measured.map(({ row, match }) => `${row}: ${match ? 'MATCH' : 'no'}`)).toEqual(recorded);
  });

  test.each([...measured, ...unmeasured])('$row: $match', ({ selection, match }) => {
    expect(matches(selection)).toBe(match);
  });
});

describe('cesql', () => {
  test.each<[string, boolean]>([
    ['attempt = 7', true],
    ['attempt >= 7 AND attempt < 8', true],
    ['attempt > -1', true],
    ['attempt <> 7', false],
    ["attempt != '8'", true],
    ['kind = 7', false],
    ['kind != 7', false],
    ["NOT kind = 'Node'", false],
    ["NOT (kind = 'Node')", true],
    ["kind NOT LIKE 'Node%'", true],
    ["kind NOT IN ('Node')", true],
    ["name LIKE 'worker-_'", true],
    ["name LIKE 'worker\\_1'", false],
    ["name LIKE 'w.rker%'", false],
    ["kind = 'Node' OR kind = 'Pod' OR name = 'worker-1'", true],
    ["kind = 'Machine' XOR name = 'worker-1'", false],
    ["EXISTS missing AND missing = 'x'", false],
    ["NOT (missing = 'x')", false],
    ["NOT EXISTS missing OR missing = 'x'", true],
    ["kind = 'Node' AND kind = 'Machine' OR name = 'worker-1'", false],
    ["(kind = 'Node' AND kind = 'Machine') OR name = 'worker-1'", true],
    ['TRUE', true],
    ['kind', false],
    ["kind = 'it\\'s'", false],
  ])('%s is %s', (cesql, holds) => {
    expect(matches({ filters: [{ cesql }] })).toBe(holds);
  });

  test.each([
    ['kind =', 'the expression ends too early'],
    ["kind = 'Machine' name", 'nothing may come at "name"'],
    ['(kind', 'expected ) at the end'],
    ['LENGTH(kind) = 7', 'the function LENGTH is not supported'],
    ['attempt + 1 = 8', 'cannot read "+ 1 = 8"'],
    ['kind LIKE name', 'LIKE takes a quoted pattern'],
    ['kind NOT 7', 'expected LIKE or IN after NOT'],
    ["EXISTS 'kind'", 'EXISTS takes an attribute name'],
    ['= 7', 'a value is missing at "="'],
    ['', 'the expression ends too early'],
  ])('%s is refused: %s', (cesql, reason) => {
    expect(() => matches({ filters: [{ cesql }] })).toThrow(new CesqlSyntaxError(reason));
  });
});
