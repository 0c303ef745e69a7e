import { expect, test } from 'vitest';
import { observeAttachments } from '../../../shared/observe/attachments.ts';
import { observePods } from '../../../shared/observe/pods.ts';
import { observeDetach } from '../../../shared/observe/volume-detach.ts';
import type { Subject } from '../../../shared/phase/definition.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { FakeCluster } from '../../builders/fake-cluster.ts';
import { pod } from '../../builders/pods.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

// One instance serves Machines of many clusters: what is in one says nothing of another.

const ours = aSubject();
const theirs = aSubject({ machine: { clusterName: 'd' } });

/** Two clusters that have the same Pods. */
function twoClusters(pods: object) {
  const world = aWorld();
  const their = new FakeCluster([]);
  world.env.workloads = {
    of: async (workload) =>
      workload.kind === 'cluster' && workload.clusterName === 'd' ? their : world.workload,
  };
  for (const cluster of [world.workload, their])
    cluster.put('pods', { ...pod('ns/a'), ...pods, spec: { nodeName: 'node-1' } });
  return { ...world, their };
}

async function behaviorIn({ env }: ReturnType<typeof twoClusters>, subject: Subject) {
  const context = { nodeName: 'node-1', unreachable: false, now: env.clock.now() };
  const { judgement } = await observePods(openSnapshot(env, subject), subject, context);
  return judgement.kind === 'judged' ? judgement.verdicts.map(({ behavior }) => behavior) : judgement;
}

test('a DaemonSet of one cluster is none of another', async () => {
  const both = twoClusters(pod('ns/d-1', { owner: { kind: 'DaemonSet', name: 'd' } }));
  both.workload.put('daemonsets', { metadata: { namespace: 'ns', name: 'd' } });
  expect(await behaviorIn(both, ours)).toEqual(['Skip']);
  expect(await behaviorIn(both, theirs)).toEqual(['Drain']);
});

test('a Namespace of one cluster is none of another', async () => {
  const both = twoClusters({});
  both.management.put('machinedrainrules', {
    metadata: { namespace: 'default', name: 'r' },
    spec: {
      drain: { behavior: 'Skip' },
      pods: [{ namespaceSelector: { matchLabels: { team: 'a' } } }],
    },
  });
  both.workload.put('namespaces', { metadata: { name: 'ns', labels: { team: 'a' } } });
  both.their.put('namespaces', { metadata: { name: 'ns', labels: { team: 'b' } } });
  expect(await behaviorIn(both, ours)).toEqual(['Skip']);
  expect(await behaviorIn(both, theirs)).toEqual(['Drain']);
});

test('what is attached in one cluster is not in another that is asked at the same time', async () => {
  const both = twoClusters({});
  both.workload.put('volumeattachments', {
    metadata: { name: 'va-1' },
    spec: { nodeName: 'node-1', source: { persistentVolumeName: 'pv-1' } },
    status: { attached: true },
  });
  const attachments = await Promise.all(
    [ours, ours, theirs].map((subject) => observeAttachments(openSnapshot(both.env, subject), aNode())),
  );
  const attached = attachments.map(({ reading }) =>
    reading.kind === 'read' ? [...reading.attached.persistentVolumes] : reading,
  );
  expect(attached).toEqual([['pv-1'], ['pv-1'], []]);
});

test('a volume of one cluster is none of another that is asked at the same time', async () => {
  const both = twoClusters({});
  for (const cluster of [both.workload, both.their])
    cluster.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/d^1'] }));
  both.workload.put('persistentvolumes', {
    metadata: { name: 'pv-1' },
    spec: { csi: { driver: 'd', volumeHandle: '1' }, claimRef: { namespace: 'shop', name: 'data' } },
  });
  const seen = await Promise.all(
    [ours, ours, theirs].map((subject) => observeDetach(openSnapshot(both.env, subject), subject)),
  );
  const unmatched = seen.map((each) => (each.kind === 'attached' ? each.volumes.unmatchedNodeVolumes : each));
  expect(unmatched).toEqual([[], [], ['kubernetes.io/csi/d^1']]);
});
