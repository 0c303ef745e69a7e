import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explained } from './explained.ts';
import { inOneLine, type Mutant } from './mutant.ts';
import { report } from './report.ts';
import { type Explained, tellApart } from './survivors.ts';

const survivor: Mutant = {
  file: 'shared/drain/plan.ts',
  line: 'return left > 0 && isOpen;',
  lineNumber: 7,
  from: 'left > 0',
  to: 'true',
  fate: 'survived',
};

const explanation: Explained = {
  file: 'shared/drain/plan.ts',
  line: 'return left > 0 && isOpen;',
  from: 'left > 0',
  to: 'true',
  because: 'whatever is open has something left',
};

test.each<[what: string, mutant: Mutant, explanation: Explained]>([
  ['as it stands', survivor, explanation],
  ['by a part of its line', survivor, { ...explanation, line: 'left > 0' }],
  ['that no test reaches', { ...survivor, fate: 'unreached' }, explanation],
])('a survivor is explained %s', (_, mutant, because) => {
  expect(tellApart([mutant], [because])).toEqual({ explained: [mutant], unexplained: [], outdated: [] });
});

test.each<[what: string, change: Partial<Mutant>]>([
  ['in another file', { file: 'shared/drain/classify.ts' }],
  ['in another line', { line: 'return left > 1 && isOpen;' }],
  ['of something else', { from: 'isOpen' }],
  ['to something else', { to: 'false' }],
])('a survivor %s is not', (_, change) => {
  const mutant = { ...survivor, ...change };
  expect(tellApart([mutant], [explanation]).unexplained).toEqual([mutant]);
});

test('an explanation of what is noticed by now is outdated', () => {
  expect(tellApart([{ ...survivor, fate: 'noticed' }], [explanation]).outdated).toEqual([explanation]);
});

test('nothing is said of explanations for files that were not mutated', () => {
  expect(tellApart([], [explanation]).outdated).toEqual([]);
});

test('the report shows scores, and apart from them what nobody explained', () => {
  const mutants: Mutant[] = [survivor, { ...survivor, fate: 'noticed' }];
  expect(report(mutants, tellApart(mutants, []))).toEqual([
    '              score %      tried    noticed   survived  unreached     static',
    'shared/drain     50.0          2          1          1          0          0',
    'all              50.0          2          1          1          0          0',
    '',
    '0 survivors are explained, 1 are not.',
    '',
    'shared/drain/plan.ts:7',
    '  line  return left > 0 && isOpen;',
    '  from  left > 0',
    '  to    true',
  ]);
});

test.each(explained)('what is explained of $file is there: $line', ({ file, line, from, to, because }) => {
  expect(existsSync(file)).toBe(true);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(line);
  expect(inOneLine(text)).toContain(from);
  expect(to).not.toBe(from);
  expect(because).not.toBe('');
});
