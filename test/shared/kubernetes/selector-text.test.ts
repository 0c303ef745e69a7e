import { expect, test } from 'vitest';
import { type LabelSelector, selectorOf } from '../../../shared/kubernetes/selector-text.ts';

test.each<[string, LabelSelector]>([
  ['a=b', { matchLabels: { a: 'b' } }],
  ['a == b', { matchLabels: { a: 'b' } }],
  ['a in (b)', { matchLabels: { a: 'b' } }],
  ['a=', { matchLabels: { a: '' } }],
  ['x.io/a=b,c=d', { matchLabels: { 'x.io/a': 'b', c: 'd' } }],
  ['a!=b', { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] }],
  ['a in (b, c)', { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] }],
  ['a notin (b,c)', { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b', 'c'] }] }],
  ['a', { matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
  ['!a', { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }],
  [
    'a in (b,c),d=e,!f',
    {
      matchLabels: { d: 'e' },
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['b', 'c'] },
        { key: 'f', operator: 'DoesNotExist' },
      ],
    },
  ],
])('%s', (text, selector) => {
  expect(selectorOf(text)).toEqual(selector);
});

test.each(['', 'a=b,', 'a in b', 'a > 1', '=b', 'a=b c', 'a in (b'])('%j is refused', (text) => {
  expect(() => selectorOf(text)).toThrow('is no requirement such as a=b');
});
