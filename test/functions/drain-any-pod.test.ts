import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drain } from '../../functions/drain.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import type { Pod } from '../../shared/kubernetes/objects.ts';
import { openSnapshot } from '../../shared/read/open-snapshot.ts';
import { anyPodFields, withFields } from '../builders/any-pod-fields.ts';
import { timeAfter } from '../builders/cluster-api.ts';
import { aNode, aSubject } from '../builders/subject.ts';
import { aWorld } from '../builders/world.ts';

type Known = Partial<Pick<Pod, 'metadata' | 'status'>> & { isNodeSilent?: boolean };

const owned = (kind: string) => ({
  name: 'p',
  ownerReferences: [
    { apiVersion: 'apps/v1', kind, name: kind === 'DaemonSet' ? 'agent' : 'web', uid: 'o', controller: true },
  ],
});
const labelled = (labels: Record<string, string>) => ({ ...owned('ReplicaSet'), labels });

/** Pods by the fields that decide, with what is done with each. */
const pods: [string, Known, string][] = [
  ['of a ReplicaSet', { metadata: owned('ReplicaSet') }, 'act evictNow 0'],
  ['of nobody', { metadata: { name: 'p' } }, 'act evictNow 0'],
  ['that has failed', { metadata: owned('ReplicaSet'), status: { phase: 'Failed' } }, 'act evictNow 0'],
  ['that a rule orders', { metadata: labelled({ tier: 'first' }) }, 'act evictNow -5'],
  ['of a DaemonSet', { metadata: owned('DaemonSet') }, 'advance skipped'],
  [
    'that is a mirror',
    { metadata: { name: 'p', annotations: { 'kubernetes.io/config.mirror': '' } } },
    'advance skipped',
  ],
  ['that asks to stay', { metadata: labelled({ 'cluster.x-k8s.io/drain': 'skip' }) }, 'advance skipped'],
  ['to wait for', { metadata: labelled({ 'cluster.x-k8s.io/drain': 'wait-completed' }) }, 'wait waitNow 0'],
  [
    'on its way',
    { metadata: { ...owned('ReplicaSet'), deletionTimestamp: timeAfter(5) } },
    'wait terminating 0',
  ],
  [
    'that should have gone from a Node that nobody hears of',
    { metadata: { ...owned('ReplicaSet'), deletionTimestamp: timeAfter(5) }, isNodeSilent: true },
    'advance skipped',
  ],
];

/** The drain's answer for a Pod alone on its Node, the Pod's place in the plan, and its order. */
async function done(pod: Pod, dialect: typeof openShift, isNodeSilent: boolean): Promise<string> {
  const { env, workload, management } = aWorld();
  const { namespace = '' } = pod.metadata;
  workload.put('nodes', aNode({ ready: isNodeSilent ? 'Unknown' : 'True' }));
  workload.put('pods', { ...pod, spec: { ...pod.spec, nodeName: 'node-1' } });
  workload.put('daemonsets', { metadata: { namespace, name: 'agent' } });
  management.put('machinedrainrules', {
    metadata: { namespace: 'default', name: 'first' },
    spec: {
      drain: { behavior: 'Drain', order: -5 },
      pods: [{ selector: { matchLabels: { tier: 'first' } } }],
    },
  });
  const subject = aSubject({ dialect });
  const seen = await drain.observe(openSnapshot(env, subject), subject);
  if (seen.kind !== 'judged') return seen.kind;
  const { kind } = drain.decide(subject, seen, env.clock.now());
  const { order, evictNow, waitNow, terminating, skipped } = seen.plan;
  const places = Object.entries({ evictNow, waitNow, terminating, skipped });
  return [kind, ...places.flatMap(([place, there]) => (there.length > 0 ? [place] : [])), order]
    .join(' ')
    .trim();
}

describe.each([
  ['Cluster API', clusterApi],
  ['OpenShift', openShift],
])('in %s no field of a Pod but the known ones decides what the drain does with a Pod', (_api, dialect) => {
  test.each(pods)('%s', async (_which, { isNodeSilent = false, metadata, status }, expected) => {
    await fc.assert(
      fc.asyncProperty(anyPodFields, async (fields) => {
        const known = {
          metadata: { uid: 'uid-p', name: 'p', ...metadata },
          status: { phase: 'Running', ...status },
        };
        expect(await done(withFields(known, fields), dialect, isNodeSilent)).toBe(expected);
      }),
    );
  });
});
