import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aMachine, aNode } from '../../../builders/dump.ts';
import { aThing, blue, notesOf, notesOn } from './dump.ts';

const configuration = (rule: object, kind = 'ValidatingWebhookConfiguration'): KubeObject => ({
  ...aThing('admissionregistration.k8s.io/v1', kind, undefined, 'cleaner'),
  webhooks: [{ name: 'cleaner.example.com', rules: [rule] }],
});
const said = (about: string, kind = 'ValidatingWebhookConfiguration') => [
  `this webhook is not played, and the answer may differ: cleaner.example.com of ${kind} cleaner, which is asked about ${about}`,
];
const ofPods = (resources: string[], operations = ['CREATE'], rest: object = {}) => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations,
  resources,
  ...rest,
});

describe('webhooks', () => {
  it.each<[string, object, string]>([
    ['evictions', ofPods(['pods/eviction']), 'evictions'],
    ['all that is below Pods', ofPods(['pods/*'], ['*']), 'evictions'],
    ['all subresources', ofPods(['*/*'], ['CREATE']), 'evictions'],
    ['all groups', ofPods(['pods/eviction'], ['*'], { apiGroups: ['*'] }), 'evictions'],
    ['all that has a namespace', ofPods(['pods/eviction'], ['*'], { scope: 'Namespaced' }), 'evictions'],
    ['what becomes of Nodes', ofPods(['nodes'], ['*']), 'changes of Nodes, deletions of Nodes'],
    ['all kinds', ofPods(['*'], ['DELETE']), 'deletions of Nodes'],
    [
      'what becomes of Machines',
      ofPods(['machines'], ['UPDATE', 'DELETE'], { apiGroups: ['cluster.x-k8s.io'] }),
      'changes of Machines, deletions of Machines',
    ],
    [
      'the end of servers',
      ofPods(['awsmachines'], ['DELETE'], { apiGroups: ['infrastructure.cluster.x-k8s.io'] }),
      'deletions of AWSMachines',
    ],
  ])('that are asked about %s are named', (_, rule, about) => {
    expect(notesOn(configuration(rule))).toEqual(said(about));
  });

  it('are named of both kinds', () => {
    const kind = 'MutatingWebhookConfiguration';
    expect(notesOn(configuration(ofPods(['pods/eviction']), kind))).toEqual(said('evictions', kind));
  });

  it.each<[string, object]>([
    ['Pods themselves', ofPods(['pods', '*'])],
    ['other things that are done', ofPods(['pods/eviction'], ['UPDATE'])],
    ['other groups', ofPods(['pods/eviction'], ['*'], { apiGroups: ['policy'] })],
    ['what has no namespace', ofPods(['pods/eviction'], ['*'], { scope: 'Cluster' })],
    ['another subresource', ofPods(['*/status'], ['*'])],
  ])('that are asked about %s are not', (_, rule) => {
    expect(notesOn(configuration(rule))).toEqual([]);
  });

  it('of the management cluster are not asked about evictions of another one', () => {
    const workload = blue(aNode('a'));
    expect(notesOf([aMachine('a'), configuration(ofPods(['pods/eviction']))], [workload])).toEqual([]);
  });
});
