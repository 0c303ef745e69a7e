import { expect, test } from 'vitest';
import type { Exhibit } from './exhibit.ts';
import { visitLine } from './report.ts';
import { type Outcome, type Verdict, verdictOf } from './verdict.ts';

const fine: Outcome = { errors: [], failed: [] };
const failing = (...errors: string[]): Outcome => ({ errors: [], failed: [{ name: 'a test', errors }] });

test.each<[string, Outcome[], Verdict]>([
  ['no test fails', [fine, fine], { kind: 'missed' }],
  ['a test fails', [fine, failing('AssertionError')], { kind: 'caught', by: ['a test'] }],
  ['a test fails of the mistake itself', [failing('TypeError')], { kind: 'caught', by: ['a test'] }],
  [
    'a file does not load, whatever fails besides',
    [{ errors: ['Error: no'], failed: [] }, failing('AssertionError')],
    { kind: 'broken', why: 'Error: no' },
  ],
  ['a test loads what is no code', [failing('SyntaxError')], { kind: 'broken', why: 'SyntaxError' }],
  [
    'the code names what there is not',
    [failing('AssertionError'), failing('ReferenceError')],
    { kind: 'broken', why: 'ReferenceError' },
  ],
])('when %s', (_when, outcomes, expected) => {
  expect(verdictOf(outcomes)).toEqual(expected);
});

const exhibit: Exhibit = {
  number: 7,
  from: 'somebody/something 1',
  mistake: 'It goes wrong.',
  file: 'shared/some.ts',
  edits: [],
  tests: ['test/one.test.ts', 'test/two.test.ts'],
};

test.each<[Verdict, string]>([
  [{ kind: 'caught', by: ['a', 'b', 'c'] }, 'caught  7 somebody/something 1: a | b | c'],
  [{ kind: 'caught', by: ['a', 'b', 'c', 'd', 'e'] }, 'caught  7 somebody/something 1: a | b | c and 2 more'],
  [
    { kind: 'missed' },
    'MISSED  7 somebody/something 1: no test of test/one.test.ts, test/two.test.ts failed',
  ],
  [
    { kind: 'broken', why: 'SyntaxError' },
    'BROKEN  7 somebody/something 1: the code does not run with it (SyntaxError)',
  ],
])('%o is one line', (verdict, expected) => {
  expect(visitLine(exhibit, verdict)).toBe(expected);
});
