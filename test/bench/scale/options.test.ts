import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('without options a few fleets are deleted by one instance on Knative, beside Cluster API', () => {
  expect(readOptions([])).toEqual({
    deleted: [1, 10, 50, 200].map((machines) => ({ scenario: 'fleet', machines, pods: 20 })),
    instances: [1],
    mode: 'beside',
    plane: 'knative',
    slowLists: false,
    without: [],
    slowness: 1,
    seed: 1,
    output: 'table',
    help: false,
  });
});

test('lists of numbers are read', () => {
  const args = [
    '--machines',
    '1,10, 50',
    '--pods',
    '0',
    '--instances',
    '1,3',
    '--slow-lists',
    '--without',
    'claims,turns',
    '-o',
    'json',
  ];

  expect(readOptions(args)).toMatchObject({
    deleted: [1, 10, 50].map((machines) => ({ scenario: 'fleet', machines, pods: 0 })),
    instances: [1, 3],
    slowLists: true,
    without: ['claims', 'turns'],
    output: 'json',
  });
});

test('the scenarios that were measured have their own Machines and Pods', () => {
  const { deleted, slowness } = readOptions(['--scenario', 'a,b, c', '--slowness', '2.2']);

  expect(deleted).toEqual([
    { scenario: 'a', machines: 1, pods: 30 },
    { scenario: 'b', machines: 1, pods: 30 },
    { scenario: 'c', machines: 1, pods: 10 },
  ]);
  expect(slowness).toBe(2.2);
});

test.each([
  [['--machines', '0'], '--machines: a whole number from 1 on is expected, not "0"'],
  [['--machines', '1,,2'], '--machines: a whole number from 1 on is expected, not ""'],
  [['--mode', 'observe'], '--mode: beside or replace is expected, not "observe"'],
  [['--without', 'claims,luck'], '--without: claims or passing or turns is expected, not "luck"'],
  [['--scenario', 'a,d'], '--scenario: a or b or c is expected, not "d"'],
  [['--scenario', 'a', '--pods', '5'], '--scenario: it says how many Machines and Pods'],
  [['--slowness', '0'], '--slowness: a number above 0 is expected, not "0"'],
  [['-o', 'yaml'], '--output: table or json is expected, not "yaml"'],
  [['--plane', 'process', '--instances', '2'], '--instances: one process has one'],
])('%j is refused', (args, why) => {
  expect(() => readOptions(args)).toThrow(why);
});
