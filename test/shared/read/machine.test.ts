import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { isOurs, machineResource } from '../../../shared/read/machine.ts';
import { aMachine, aRawMachine } from '../../builders/cluster-api.ts';
import { anOriginal } from '../../builders/v1alpha1.ts';
import { aCommand, aWorld } from '../../builders/world.ts';

test.each([
  [
    clusterApi,
    'cluster.x-k8s.io/v1beta1',
    { group: 'cluster.x-k8s.io', version: 'v1beta1', plural: 'machines' },
  ],
  [
    openShift,
    'machine.openshift.io/v1beta1',
    { group: 'machine.openshift.io', version: 'v1beta1', plural: 'machines' },
  ],
])(
  'a Machine is asked for in the version that it was heard of in: $name %s',
  (dialect, apiVersion, resource) => {
    const { machine } = aCommand();
    expect(machineResource(dialect, { ...machine, apiVersion })).toEqual(resource);
  },
);

describe('with a watch filter', () => {
  const { env } = aWorld(aRawMachine(), { watchFilter: 'blue' });

  test('Machines of an API that has a label for it are ours only by that label', () => {
    expect(isOurs(env, aMachine(), clusterApi)).toBe(false);
  });

  test('Machines of an API that has none are ours all the same', () => {
    expect(isOurs(env, anOriginal(), originalApi)).toBe(true);
  });
});

test.each([
  ['default', true],
  ['default-2', false],
  ['fault', false],
])('of some namespaces a Machine is ours by the whole name of its own: %s', (namespace, isSo) => {
  const { env } = aWorld(aRawMachine(), { namespaces: ['default'] });
  expect(isOurs(env, aMachine({ metadata: { namespace } }), clusterApi)).toBe(isSo);
});
