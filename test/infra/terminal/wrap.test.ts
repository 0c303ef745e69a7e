import { describe, expect, it } from 'vitest';
import { stackedWithin, tableWithin, wrapped } from '../../../infra/terminal/wrap.ts';

describe('a text within a width', () => {
  it.each([
    ['fits', 'one line', 20, ['one line']],
    ['is broken between words', 'the owner of the budget', 12, ['the owner of', 'the budget']],
    ['is broken in a word that is longer', 'a WaitingForHook b', 7, ['a', 'Waiting', 'ForHook', 'b']],
    ['splits no character', '🙂🙂🙂', 4, ['🙂🙂', '🙂']],
    ['is one empty line where it is empty', '', 5, ['']],
  ])('%s', (_what, text, width, lines) => {
    expect(wrapped(text, width)).toEqual(lines);
  });
});

const columns = [
  { heading: 'STATE' },
  { heading: 'MACHINE' },
  { heading: 'WAITS FOR', isProse: true as const },
  { heading: 'FOR' },
];
const why = 'WaitingForPreDrainHook: hooks move-traffic of local-hook-owner and one more';
const row = ['held', 'fleet/worker-1', why, '2 min'];

describe('a table within a width', () => {
  it('has one line for each row where there is room', () => {
    expect(tableWithin(columns, [row], Infinity)).toEqual([
      [`STATE  MACHINE         WAITS FOR${' '.repeat(68)}FOR`],
      [`held   fleet/worker-1  ${why}  2 min`],
    ]);
  });

  it('breaks prose, and nothing else', () => {
    expect(tableWithin(columns, [row], 70)?.[1]).toEqual([
      'held   fleet/worker-1  WaitingForPreDrainHook: hooks             2 min',
      '                       move-traffic of local-hook-owner and one',
      '                       more',
    ]);
  });

  it('is none where prose has no room to be read', () => {
    expect(tableWithin(columns, [row], 60)).toBeUndefined();
  });
});

it('a row that is stacked has each column under its heading', () => {
  expect(stackedWithin(columns, row, { titles: 2, width: 50 })).toEqual([
    'held  fleet/worker-1',
    '  WAITS FOR  WaitingForPreDrainHook: hooks',
    '             move-traffic of local-hook-owner and',
    '             one more',
    '  FOR        2 min',
  ]);
});
