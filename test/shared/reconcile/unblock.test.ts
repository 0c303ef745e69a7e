import { beforeEach, describe, expect, test } from 'vitest';
import type { BlockedAction, BlockedEntry } from '../../../shared/blocked/entry.ts';
import type { Prospect } from '../../../shared/blocked/prospect.ts';
import type { WorkloadCluster } from '../../../shared/kubernetes/client.ts';
import { deployments, nodes, pods, replicaSets } from '../../../shared/kubernetes/resources.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import type { ClusterSnapshot } from '../../../shared/read/snapshot.ts';
import { perform } from '../../../shared/reconcile/effects.ts';
import { after } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aDeployment, aRolloutSeen } from '../../builders/rollout.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const subject = aSubject();
const seen = aRolloutSeen();
const blocked = {
  ...seen.pod,
  metadata: {
    ...seen.pod.metadata,
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'set-uid', controller: true },
    ],
  },
};

let world: World;
let snapshot: ClusterSnapshot;

beforeEach(() => {
  world = aWorld();
  world.env.settings.actions = new Set<BlockedAction>(['RolloutRestart', 'Delete']);
  snapshot = openSnapshot(world.env, aSubject());
});

function prospect(action: BlockedAction): Prospect {
  const entry: BlockedEntry = { cause: 'BudgetNeverAllows', after: 600, pods: {}, action, maxReplicas: 1 };
  const deployment = {
    namespace: 'shop',
    name: 'web',
    uid: 'web-uid',
    resourceVersion: '7',
    restartedFor: [],
  };
  return {
    pod: blocked,
    policy: 'workers',
    entry,
    lasting: { cause: 'BudgetNeverAllows', since: after(-600) },
    at: after(0),
    outlook: action === 'Delete' ? { kind: 'due' } : { kind: 'ready', deployment },
  };
}

const unblocking = (action: BlockedAction) =>
  perform([{ kind: 'unblock', prospects: [prospect(action)] }], {
    env: world.env,
    subject,
    snapshot,
    workload: async (): Promise<WorkloadCluster> => world.workload,
  });

/** What the restart reads: the Deployment, its ReplicaSet and the cordoned Node. */
function putWeb(parts: Parameters<typeof aDeployment>[0] = {}): void {
  const set = seen.replicaSet.kind === 'found' ? seen.replicaSet.object : { metadata: { name: 'web' } };
  world.workload.put(deployments.plural, aDeployment(parts));
  world.workload.put(replicaSets.plural, {
    ...set,
    metadata: { ...set.metadata, namespace: 'shop', uid: 'set-uid' },
  });
  world.workload.put(nodes.plural, { metadata: { name: 'node-1' }, spec: { unschedulable: true } });
}

const fact = { kind: 'pod-unblocked', policy: 'workers', cause: 'BudgetNeverAllows' };
const web = { namespace: 'shop', name: 'web' };

describe('a restart', () => {
  test('is one patch that says for which Machine, and a fact', async () => {
    putWeb({
      metadata: {
        annotations: {
          'deployment.kubernetes.io/revision': '3',
          'phaseout.dev/restarted-for': 'uid-of-another',
        },
      },
    });
    expect(await unblocking('RolloutRestart')).toMatchObject([
      { ...fact, action: 'RolloutRestart', deployment: 'web' },
    ]);
    expect(await world.workload.get(deployments, web)).toMatchObject({
      metadata: { annotations: { 'phaseout.dev/restarted-for': 'uid-1,uid-of-another' } },
      spec: {
        template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': expect.any(String) } } },
      },
    });
    expect(snapshot.tried.size).toBe(0);
    expect(await snapshot.get('workload', deployments, web)).toMatchObject({
      metadata: { annotations: { 'phaseout.dev/restarted-for': 'uid-1,uid-of-another' } },
    });
  });

  test.each<[string, Parameters<typeof aDeployment>[0]]>([
    ['has been paused since', { spec: { paused: true } }],
    [
      'was restarted for this Machine since',
      { metadata: { annotations: { 'phaseout.dev/restarted-for': 'uid-1' } } },
    ],
  ])('is not made where the Deployment %s', async (_what, parts) => {
    putWeb(parts);
    expect(await unblocking('RolloutRestart')).toEqual([]);
    expect(snapshot.tried.get('shop/web-1')).toMatchObject({ kind: 'failed' });
    expect(await world.workload.get(deployments, web)).not.toHaveProperty('spec.template');
  });
});

describe('a delete', () => {
  test('means this one Pod, and is a fact', async () => {
    world.workload.put(pods.plural, blocked);
    expect(await unblocking('Delete')).toMatchObject([{ ...fact, action: 'Delete' }]);
    expect(await world.workload.get(pods, { namespace: 'shop', name: 'web-1' })).toBeUndefined();
  });

  test('spares another Pod of that name', async () => {
    world.workload.put(pods.plural, {
      ...pod('shop/web-1'),
      metadata: { ...blocked.metadata, uid: 'other' },
    });
    await unblocking('Delete');
    expect(await world.workload.get(pods, { namespace: 'shop', name: 'web-1' })).toBeDefined();
  });
});

test.each<BlockedAction>(['RolloutRestart', 'Delete'])(
  '%s is not asked for without a grant',
  async (action) => {
    putWeb();
    world.workload.put(pods.plural, blocked);
    world.env.settings.actions = new Set();
    expect(await unblocking(action)).toEqual([]);
    expect([world.workload.reads, world.workload.patches]).toEqual([[], []]);
    expect(world.workload.at('pods/shop/web-1')).toBeDefined();
  },
);
