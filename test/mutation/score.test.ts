import { expect, test } from 'vitest';
import type { Mutant } from './mutant.ts';
import { scoreOf, scorePerFolder } from './score.ts';

const aMutant = (fate: Mutant['fate'], file = 'shared/drain/plan.ts'): Mutant => ({
  file,
  line: 'return left > 0;',
  lineNumber: 7,
  from: 'left > 0',
  to: 'true',
  fate,
});

test('a mutant that survives and one that no test reaches count against the score, a static one does not', () => {
  const mutants = [
    aMutant('noticed'),
    aMutant('noticed'),
    aMutant('survived'),
    aMutant('unreached'),
    aMutant('static'),
  ];
  expect(scoreOf(mutants)).toEqual({
    tried: 4,
    noticed: 2,
    survived: 1,
    unreached: 1,
    static: 1,
    percent: 50,
  });
});

test('nothing tried is nothing missed', () => {
  expect(scoreOf([aMutant('static')]).percent).toBe(100);
});

test('each folder has its score', () => {
  const mutants = [
    aMutant('survived', 'shared/text/truncate.ts'),
    aMutant('noticed', 'shared/drain/plan.ts'),
    aMutant('noticed', 'shared/drain/classify.ts'),
  ];
  expect(scorePerFolder(mutants).map(([folder, { percent }]) => [folder, percent])).toEqual([
    ['shared/drain', 100],
    ['shared/text', 0],
  ]);
});
