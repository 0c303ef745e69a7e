import { expect, test } from 'vitest';
import { didYouMean, nearTo } from '../../../infra/terminal/near.ts';

const commands = ['run', 'plan', 'status', 'explain', 'history', 'package', 'page'];

test.each<[string, string, string[], string[]]>([
  ['a sign left out', 'pln', commands, ['plan']],
  ['two signs swapped', 'stauts', commands, ['status']],
  ['a sign too many', 'explainn', commands, ['explain']],
  ['another case', 'Plan', commands, ['plan']],
  ['a word that only begins', 'pa', commands, ['package', 'page']],
  ['a first sign alone', 'h', commands, []],
  ['another word', 'delete', commands, []],
  ['three mistakes in a long word', 'kubconfi', ['kubeconfig'], ['kubeconfig']],
  ['no word', '', commands, []],
  [
    'the nearest first',
    'worker-1',
    ['worker-23', 'worker-12', 'worker-2', 'worker-3'],
    ['worker-12', 'worker-2', 'worker-3'],
  ],
])('near is %s', (_, word, words, near) => {
  expect(nearTo(word, words)).toEqual(near);
});

test('a fleet of three hundred is not listed', () => {
  const fleet = Array.from({ length: 300 }, (_, index) => `fleet/md-${index}`);
  expect(nearTo('fleet/md-300', fleet)).toEqual(['fleet/md-30', 'fleet/md-100', 'fleet/md-200']);
});

test.each([
  [[], ''],
  [['a'], '. Did you mean a?'],
  [['a', 'b'], '. Did you mean a or b?'],
  [['a', 'b', 'c'], '. Did you mean a, b or c?'],
])('%j are asked for in a sentence', (near, text) => {
  expect(didYouMean(near)).toBe(text);
});
