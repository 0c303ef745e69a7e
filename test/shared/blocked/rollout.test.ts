import { describe, expect, it } from 'vitest';
import { judgeRollout, restartedForText } from '../../../shared/blocked/rollout.ts';
import type { RolloutSeen } from '../../../shared/blocked/rollout-seen.ts';
import type { Deployment } from '../../../shared/kubernetes/workloads.ts';
import { bare, pod } from '../../builders/pods.ts';
import { aDeployment, aRolloutSeen } from '../../builders/rollout.ts';

const machineUid = 'machine-uid';
const judge = (seen: RolloutSeen, maxReplicas = 1) => judgeRollout(seen, { machineUid, maxReplicas });
const of = (parts: Parameters<typeof aDeployment>[0]): RolloutSeen =>
  aRolloutSeen({ deployment: { kind: 'found', object: aDeployment(parts) } });
const strategy = (maxSurge: number | string, maxUnavailable: number | string): Deployment['spec'] => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});
const web = { namespace: 'shop', name: 'web', uid: 'web-uid', resourceVersion: '7', restartedFor: [] };
const unread = { kind: 'unread', why: 'forbidden' } as const;
const absent = { kind: 'absent' } as const;
const claim = (...accessModes: string[]) =>
  ({ kind: 'found', object: { metadata: { name: 'data' }, spec: { accessModes } } }) as const;
const timedOut = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' } as const];
const ours = { annotations: { 'phaseout.dev/restarted-for': machineUid } };

describe('a Deployment may be restarted', () => {
  it.each<[string, RolloutSeen]>([
    ['with the defaults of Kubernetes', aRolloutSeen()],
    ['with a surge of some percent, rounded up', of({ spec: strategy('1%', 0) })],
    ['with some percent unavailable that come to none', of({ spec: strategy(1, '99%') })],
    [
      'with a claim that many Nodes may use',
      aRolloutSeen({ claims: new Map([['data', claim('ReadWriteMany')]]) }),
    ],
  ])('%s', (_what, seen) => {
    expect(judge(seen)).toEqual({ kind: 'ready', deployment: web });
  });

  it('after a restart for another Machine', () => {
    const annotations = { 'deployment.kubernetes.io/revision': '3', 'phaseout.dev/restarted-for': 'other' };
    const deployment = { ...web, restartedFor: ['other'] };
    expect(judge(of({ metadata: { annotations } }))).toEqual({ kind: 'ready', deployment });
  });

  it('with as many replicas as the policy allows', () => {
    const three = { replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
    expect(judge(of({ spec: { replicas: 3 }, status: three }), 3).kind).toBe('ready');
  });
});

const its = 'Deployment shop/web: ';
const pods = 'Pod shop/web-1: ';

describe('a Deployment is not restarted', () => {
  it.each<[string, RolloutSeen, string]>([
    [
      'of a bare Pod',
      aRolloutSeen({ pod: bare('shop/web-1'), deployment: absent }),
      'Pod shop/web-1 belongs to no ReplicaSet',
    ],
    [
      'of a ReplicaSet that is not read',
      aRolloutSeen({ replicaSet: unread, deployment: absent }),
      'ReplicaSet web could not be read: forbidden',
    ],
    [
      'of a ReplicaSet that is gone',
      aRolloutSeen({ replicaSet: absent, deployment: absent }),
      'ReplicaSet web is gone',
    ],
    [
      'of a ReplicaSet by itself',
      aRolloutSeen({
        replicaSet: { kind: 'found', object: { metadata: { name: 'web' } } },
        deployment: absent,
      }),
      'ReplicaSet web belongs to no Deployment',
    ],
    ['that is not read', aRolloutSeen({ deployment: unread }), 'Deployment web could not be read: forbidden'],
    ['that is gone', aRolloutSeen({ deployment: absent }), 'Deployment web is gone'],
    [
      'that is being deleted',
      of({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      `${its}it is being deleted`,
    ],
    [
      'that wants to be left alone',
      of({ metadata: { labels: { 'phaseout.dev/rollout-restart': 'false' } } }),
      `${its}it has the label phaseout.dev/rollout-restart=false`,
    ],
    ['that is recreated', of({ spec: { strategy: { type: 'Recreate' } } }), `${its}its strategy is Recreate`],
    [
      'without a surge',
      of({ spec: strategy(0, 0) }),
      `${its}its maxSurge comes to 0: no second Pod may come up first`,
    ],
    [
      'with one that may be away',
      of({ spec: strategy(1, 1) }),
      `${its}its maxUnavailable comes to 1: a Pod may go before its successor`,
    ],
    ['that is paused', of({ spec: { paused: true } }), `${its}it is paused`],
    [
      'whose controller is behind',
      of({ status: { observedGeneration: 1 } }),
      `${its}its controller has not seen its last change`,
    ],
    [
      'whose rollout has timed out',
      of({ status: { conditions: timedOut } }),
      `${its}its last rollout did not come up: 1 of 1`,
    ],
    [
      'whose Pod is not available',
      of({ status: { availableReplicas: 0 } }),
      `${its}0 of its 1 replicas are available`,
    ],
    [
      'with more replicas than allowed',
      of({ spec: { replicas: 2 }, status: { replicas: 2, updatedReplicas: 2, availableReplicas: 2 } }),
      `${its}it has 2 replicas, and maxReplicas is 1`,
    ],
    [
      'that something else controls',
      of({
        metadata: {
          ownerReferences: [{ apiVersion: 'x/v1', kind: 'Shop', name: 's', uid: 'u', controller: true }],
        },
      }),
      `${its}Shop s controls it`,
    ],
    [
      'where the Pod wants to be left alone',
      aRolloutSeen({
        pod: {
          ...pod('shop/web-1', { labels: { 'phaseout.dev/rollout-restart': 'false' } }),
          spec: { nodeName: 'node-1' },
        },
      }),
      `${pods}it has the label phaseout.dev/rollout-restart=false`,
    ],
    [
      'where the Pod is of an older ReplicaSet',
      of({ metadata: { annotations: { 'deployment.kubernetes.io/revision': '4' } } }),
      `${pods}its ReplicaSet is not the newest of its Deployment`,
    ],
    [
      'where the Pod has a port of its Node',
      aRolloutSeen({
        pod: {
          ...pod('shop/web-1'),
          spec: { nodeName: 'node-1', containers: [{ name: 'c', ports: [{ hostPort: 80 }] }] },
        },
      }),
      `${pods}it takes port 80 of its Node`,
    ],
    [
      'with a claim of one Node',
      aRolloutSeen({ claims: new Map([['data', claim('ReadWriteOnce')]]) }),
      `${pods}its claim data is ReadWriteOnce: a second Pod would wait for its volume`,
    ],
    [
      'with a claim that is not read',
      aRolloutSeen({ claims: new Map([['data', unread]]) }),
      `${pods}its claim data could not be read: forbidden`,
    ],
    [
      'with a claim that is gone',
      aRolloutSeen({ claims: new Map([['data', absent]]) }),
      `${pods}its claim data is gone`,
    ],
    [
      'on a Node that is not cordoned',
      aRolloutSeen({ node: { kind: 'found', object: { metadata: { name: 'node-1' } } } }),
      'Node node-1 is not cordoned: the new Pod may come up there',
    ],
    [
      'on a Node that is not read',
      aRolloutSeen({ node: unread }),
      'Node node-1 could not be read: forbidden',
    ],
  ])('%s', (_what, seen, why) => {
    const verdict = judge(seen);
    expect(verdict.kind === 'unmet' && verdict.why.filter((each) => each === why)).toEqual([why]);
  });
});

describe('a rollout', () => {
  const rolling = { replicas: 2, updatedReplicas: 1, availableReplicas: 1 };
  it.each<[string, Parameters<typeof aDeployment>[0], object]>([
    ['of somebody else is waited for', { status: rolling }, { kind: 'running', isOurs: false }],
    [
      'for this Machine is waited for',
      { metadata: ours, status: rolling },
      { kind: 'running', isOurs: true },
    ],
    [
      'for this Machine is waited for before its controller has seen it',
      { metadata: { ...ours, generation: 3 } },
      { kind: 'running', isOurs: true },
    ],
    [
      'for this Machine is not tried again once it has timed out',
      { metadata: ours, status: { ...rolling, conditions: timedOut } },
      { kind: 'failed' },
    ],
    ['for this Machine is not tried again once it is over', { metadata: ours }, { kind: 'done' }],
    [
      'for this Machine is not tried again after one for another Machine',
      { metadata: { annotations: { 'phaseout.dev/restarted-for': `other,${machineUid}` } } },
      { kind: 'done' },
    ],
  ])('%s', (_what, parts, verdict) => {
    expect(judge(of(parts))).toMatchObject({ deployment: { uid: 'web-uid' }, ...verdict });
  });

  it('is remembered for the last twenty Machines', () => {
    const before = Array.from({ length: 20 }, (_, index) => `uid-${index}`);
    expect(restartedForText({ restartedFor: [] }, 'new')).toBe('new');
    expect(restartedForText({ restartedFor: before }, 'new')).toBe(
      'new,uid-0,uid-1,uid-2,uid-3,uid-4,uid-5,uid-6,uid-7,uid-8,uid-9,uid-10,uid-11,uid-12,uid-13,uid-14,uid-15,uid-16,uid-17,uid-18',
    );
  });
});
