import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('without options a few fleets are deleted by one instance on Knative, beside Cluster API', () => {
  expect(readOptions([])).toEqual({
    machines: [1, 10, 50, 200],
    pods: 20,
    instances: [1],
    mode: 'beside',
    plane: 'knative',
    slowLists: false,
    without: [],
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
    machines: [1, 10, 50],
    pods: 0,
    instances: [1, 3],
    slowLists: true,
    without: ['claims', 'turns'],
    output: 'json',
  });
});

test.each([
  [['--machines', '0'], '--machines: a whole number from 1 on is expected, not "0"'],
  [['--machines', '1,,2'], '--machines: a whole number from 1 on is expected, not ""'],
  [['--mode', 'observe'], '--mode: beside or replace is expected, not "observe"'],
  [['--without', 'claims,luck'], '--without: claims or passing or turns is expected, not "luck"'],
  [['-o', 'yaml'], '--output: table or json is expected, not "yaml"'],
  [['--plane', 'process', '--instances', '2'], '--instances: one process has one'],
])('%j is refused', (args, why) => {
  expect(() => readOptions(args)).toThrow(why);
});
