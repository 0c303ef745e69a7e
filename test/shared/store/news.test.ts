import { describe, expect, test } from 'vitest';
import { followUp, isBehind, knownVersions, versionToReport } from '../../../shared/store/claim.ts';
import { aCommand } from '../../builders/world.ts';

test.each<[string | undefined, string | undefined]>([
  ['101', '101'],
  [undefined, undefined],
  ['1'.repeat(40), '1'.repeat(40)],
  ['1'.repeat(41), undefined],
])('the version %s is heard as %s', (version, heard) => {
  expect(versionToReport(version)).toBe(heard);
});

test('of the versions that are no news the eight newest are kept, each once, by their number', () => {
  expect(knownVersions(['9', '10'], ['10', '8'], [])).toEqual(['8', '9', '10']);
  expect(knownVersions(['1', '2', '3', '4', '5', '6', '7', '8', '9'])).toEqual([
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
  ]);
});

test.each<[string, string[], string[], boolean]>([
  ['100', [], [], false],
  ['100', ['99', '100'], [], false],
  ['100', ['99', '101'], [], true],
  ['100', [], ['101'], true],
  ['99', ['100'], [], true],
  ['100', [], ['-'], false],
])(
  'a Machine in version %s, after steps that left %j and with the news %j, is behind: %s',
  (version, ours, news, is) => {
    expect(isBehind(version, { ours, news })).toBe(is);
  },
);

describe('after a step that has seen version 100 and written 98', () => {
  const known = { ours: ['98'], seen: '100' };
  test.each<[string, string[], string | undefined]>([
    ['its own write', ['98'], undefined],
    ['what it has seen', ['100'], undefined],
    ['what it has seen the next version of', ['97', '99'], undefined],
    ['a newer version', ['98', '101'], '101'],
    ['the newest of several', ['101', '1000', '102'], '1000'],
    ['a version that is no number, and may be any', ['x1'], 'x1'],
  ])('%s has it look once more: %j → %s', (_, news, version) => {
    const again = followUp(aCommand({ resourceVersion: '90' }), news, known);
    expect(again).toEqual(version && aCommand({ resourceVersion: version }));
  });

  test('what has no version has it look once more, at the Machine as it is by then', () => {
    expect(followUp(aCommand({ resourceVersion: '90' }), ['-'], known)).toEqual(aCommand());
  });
});

test('after a step that has seen nothing all is news', () => {
  const again = followUp(aCommand(), ['1'], { ours: [], seen: undefined });
  expect(again).toEqual(aCommand({ resourceVersion: '1' }));
});
