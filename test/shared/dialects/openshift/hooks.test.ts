import { describe, expect, test } from 'vitest';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import { aMachine, drained, excluded, type Overrides } from '../../../builders/openshift.ts';

const preDrain = ['b', 'a'];

describe('pre-drain hooks', () => {
  test.each<[when: string, machine: Overrides, held: string[]]>([
    ['hold the drain, sorted', {}, ['a', 'b']],
    [
      'hold it again after it failed',
      { status: { conditions: [{ ...drained, status: 'False' }] } },
      ['a', 'b'],
    ],
    ['are bypassed where the drain is excluded', { annotations: excluded }, []],
    [
      'are bypassed whatever the exclusion says',
      { annotations: { 'machine.openshift.io/exclude-node-draining': 'false' } },
      [],
    ],
    ['are bypassed where there is no Node', { status: { nodeRef: undefined } }, []],
    ['hold nothing once the Machine is drained', { status: { conditions: [drained] } }, []],
  ])('%s', (_when, machine, held) => {
    const deleted = aMachine({ preDrain, ...machine });
    expect(openShift.hooks(deleted, 'pre-drain')).toEqual(held);
    expect(openShift.bypassedHooks(deleted, 'pre-drain')).toEqual(held.length === 0 ? ['a', 'b'] : []);
  });
});

describe('pre-terminate hooks', () => {
  test.each<[when: string, machine: Overrides]>([
    ['hold', {}],
    ['hold where the drain is excluded', { annotations: excluded }],
    ['hold where there is no Node', { status: { nodeRef: undefined } }],
    ['hold once the Machine is drained', { status: { conditions: [drained] } }],
  ])('%s', (_when, machine) => {
    const found = openShift.hooks(aMachine({ preTerminate: ['d', 'c'], ...machine }), 'pre-terminate');
    expect(found).toEqual(['c', 'd']);
    expect(openShift.bypassedHooks(aMachine({ preTerminate: ['c'], ...machine }), 'pre-terminate')).toEqual(
      [],
    );
  });

  test('are not those before the drain, although a name may be in both lists', () => {
    const machine = aMachine({ preDrain: ['same'], preTerminate: ['same', 'z'] });
    expect(openShift.hooks(machine, 'pre-drain')).toEqual(['same']);
    expect(openShift.hooks(machine, 'pre-terminate')).toEqual(['same', 'z']);
  });
});

test.each<[spec: object]>([
  [{ lifecycleHooks: undefined }],
  [{ lifecycleHooks: null }],
  [{ lifecycleHooks: {} }],
])('a Machine without hooks is held by none (%j)', (spec) => {
  const machine = aMachine({ spec: { ...spec } });
  expect(openShift.hooks(machine, 'pre-drain')).toEqual([]);
  expect(openShift.hooks(machine, 'pre-terminate')).toEqual([]);
});

test('a hook that lacks its name or its owner holds all the same', () => {
  const lifecycleHooks = { preDrain: [{ owner: 'o' }], preTerminate: [{ name: 'n' }] };
  const machine = aMachine({ spec: { lifecycleHooks } });
  expect(openShift.hooks(machine, 'pre-drain')).toEqual(['']);
  expect(openShift.hooks(machine, 'pre-terminate')).toEqual(['n']);
  expect(openShift.hookOwner(machine, 'pre-terminate', 'n')).toBeUndefined();
  expect(openShift.hookMessage(machine, 'pre-drain')).toBe(
    'Drain operation currently blocked by: [{Name: Owner:o}]',
  );
});

test('a hook has an owner in its own list only', () => {
  const machine = aMachine({ preDrain: ['a'], preTerminate: ['z'] });
  expect(openShift.hookOwner(machine, 'pre-drain', 'a')).toBe('a-owner');
  expect(openShift.hookOwner(machine, 'pre-terminate', 'z')).toBe('z-owner');
  expect(openShift.hookOwner(machine, 'pre-terminate', 'a')).toBeUndefined();
});

test('the message lists hooks and owners in the order of the spec', () => {
  const machine = aMachine({ preDrain, preTerminate: ['EtcdQuorumOperator'] });
  expect(openShift.hookMessage(machine, 'pre-drain')).toBe(
    'Drain operation currently blocked by: [{Name:b Owner:b-owner} {Name:a Owner:a-owner}]',
  );
  expect(openShift.hookMessage(machine, 'pre-terminate')).toBe(
    'Terminate operation currently blocked by: [{Name:EtcdQuorumOperator Owner:EtcdQuorumOperator-owner}]',
  );
});
