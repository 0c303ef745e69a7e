import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aPod } from '../../../builders/dump.ts';
import { notesOn, webPod } from './dump.ts';

const replicaSet = (parts: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'shop', ...parts },
});
const ofDeployment = {
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: true }],
};
const budget = (app: string, namespace = 'shop'): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'guard', namespace },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app } } },
});

const said = (owners: string, pods: number) => [
  `owners of Pods were not given: ${owners}. PodDisruptionBudget shop/guard depends on how many Pods they want: a run ` +
    `counts the ${pods} that were given, and takes each that has gone for replaced`,
];

describe('owners of Pods that were not given', () => {
  it.each<[string, KubeObject[], string[]]>([
    ['are named with the budget over their Pods', [], said('ReplicaSet shop/web', 2)],
    ['are none where they were given', [replicaSet()], []],
    [
      'may be those of a ReplicaSet that was given',
      [replicaSet(ofDeployment)],
      said('Deployment shop/web', 2),
    ],
  ])('%s', (_, objects, notes) => {
    expect(notesOn(budget('web'), webPod('web-1'), webPod('web-2', 'b'), ...objects)).toEqual(notes);
  });

  it.each<[string, KubeObject[]]>([
    ['no budget is over their Pods', [budget('other'), webPod('web-1')]],
    ['the budget is of another namespace', [budget('web', 'other'), webPod('web-1')]],
    ['none of the Pods is on the Node', [budget('web'), webPod('web-1', 'b')]],
    [
      'they are made up, as DaemonSets are',
      [budget('web'), aPod('web-1', 'a', { kind: 'DaemonSet', name: 'web' })],
    ],
  ])('change nothing where %s', (_, objects) => {
    expect(notesOn(...objects)).toEqual([]);
  });
});
