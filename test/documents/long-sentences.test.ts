import { expect, test } from 'vitest';
import { sentencesIn } from './comments-in.ts';
import { sourcesAt } from './said-in-source.ts';

const paths = sourcesAt('{functions,shared,infra,events}/**/*.ts', 'test/**/*.ts').filter(
  (path) => !/node_modules|^test\/golden/.test(path),
);
const maxWords = 20;

test('sentences were found', () => {
  expect(paths.length).toBeGreaterThan(2_000);
  expect(sentencesIn('shared/time/clock.ts').length).toBeGreaterThan(5);
});

test.each([
  ['// One two.\n// Three four five.', [2, 3]],
  ['/**\n * One `two three` four:\n * - five six\n */', [3, 2]],
  ['const a = 1; // A `b.c` d, and e. F g', [5, 2]],
])('of %j the sentences have %j words', (source, words) => {
  expect(sentencesIn('any.ts', source).map((sentence) => sentence.words)).toEqual(words);
});

test(`no sentence of a comment has more than ${maxWords} words`, () => {
  const long = paths.flatMap((path) => sentencesIn(path)).filter(({ words }) => words > maxWords);
  expect(long.map(({ at, words, text }) => `${at} (${words}) ${text}`)).toEqual([]);
});
