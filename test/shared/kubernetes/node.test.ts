import { expect, test } from 'vitest';
import { type Condition, isUnreachable, type Node } from '../../../shared/kubernetes/objects.ts';

const ready = (status: Condition['status']): Condition => ({ type: 'Ready', status });

test.each<[string, Condition[], boolean]>([
  ['without conditions', [], false],
  ['Ready', [ready('True')], false],
  ['not Ready', [ready('False')], false],
  ['Ready unknown', [{ type: 'DiskPressure', status: 'False' }, ready('Unknown')], true],
  ['another condition unknown', [{ type: 'DiskPressure', status: 'Unknown' }, ready('True')], false],
  ['the first of two Ready conditions counts', [ready('True'), ready('Unknown')], false],
])('a Node %s', (_, conditions, expected) => {
  expect(isUnreachable({ metadata: { name: 'n' }, status: { conditions } })).toBe(expected);
});

test.each<[string, Pick<Node, 'status'>]>([
  ['at all', {}],
  ['of its conditions', { status: {} }],
])('a Node of which nothing is said %s is not given up', (_, said) => {
  expect(isUnreachable({ metadata: { name: 'n' }, ...said })).toBe(false);
});
