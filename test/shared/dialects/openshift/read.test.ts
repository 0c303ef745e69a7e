import { describe, expect, test } from 'vitest';
import { MachineUnreadable } from '../../../../shared/dialects/dialect.ts';
import { openShift } from '../../../../shared/dialects/openshift/index.ts';
import { after, aMachine, aRawMachine } from '../../../builders/openshift.ts';

describe('a Machine is read', () => {
  test('with what all Machine APIs share', () => {
    const raw = aRawMachine({ preDrain: ['a'] });
    expect(openShift.read(raw)).toEqual({
      ref: { apiVersion: 'machine.openshift.io/v1beta1', namespace: 'default', name: 'm-1', uid: 'uid-1' },
      resourceVersion: '7',
      generation: 2,
      labels: { 'machine.openshift.io/cluster-api-cluster': 'c' },
      annotations: {},
      finalizers: ['machine.machine.openshift.io'],
      deletionTimestamp: after(0),
      providerId: 'x://m-1',
      nodeName: 'node-1',
      nodeUid: 'node-uid-1',
      isControlPlane: false,
      raw,
    });
  });

  test('without what it need not have', () => {
    const { metadata } = aRawMachine();
    const machine = openShift.read({
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: metadata.name, namespace: 'default', uid: 'uid-1' },
    });
    expect(machine).toMatchObject({ labels: {}, annotations: {}, finalizers: [], isControlPlane: false });
    expect(machine).not.toHaveProperty('nodeName');
    expect(machine).not.toHaveProperty('providerId');
    expect(machine).not.toHaveProperty('deletionTimestamp');
  });

  test('although its API would refuse to act on it', () => {
    expect(aMachine({ metadata: { labels: undefined }, spec: { providerSpec: {} } })).toMatchObject({
      labels: {},
    });
  });

  test('as one of the control plane by its role', () => {
    const labels = { 'machine.openshift.io/cluster-api-machine-role': 'master' };
    expect(aMachine({ metadata: { labels } }).isControlPlane).toBe(true);
  });

  test.each([undefined, ''])('without the UID of its Node where its nodeRef has %j', (uid) => {
    const machine = aMachine({ status: { nodeRef: { name: 'node-1', uid } } });
    expect(machine.nodeName).toBe('node-1');
    expect(machine).not.toHaveProperty('nodeUid');
  });

  test.each([[null], [{}], [{ name: '' }]])('without a Node where its nodeRef is %j', (nodeRef) => {
    expect(aMachine({ status: { nodeRef } })).not.toHaveProperty('nodeName');
  });
});

test.each<[what: string, raw: object, message: string]>([
  ['another version', { ...aRawMachine(), apiVersion: 'machine.openshift.io/v1' }, 'apiVersion: '],
  [
    'hooks that are no list',
    aRawMachine({ spec: { lifecycleHooks: { preDrain: 'a' } } }),
    'spec.lifecycleHooks.preDrain: ',
  ],
  [
    'a hook that is none',
    aRawMachine({ spec: { lifecycleHooks: { preTerminate: ['a'] } } }),
    'spec.lifecycleHooks.preTerminate.0: ',
  ],
  ['no UID', aRawMachine({ metadata: { uid: undefined } }), 'metadata.uid: '],
])('%s is not guessed at', (_what, raw, message) => {
  const reading = () => openShift.read({ ...aRawMachine(), ...raw });
  expect(reading).toThrow(MachineUnreadable);
  expect(reading).toThrow(`Machine default/m-1 cannot be read: ${message}`);
});
