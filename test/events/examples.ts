import { advance } from '../../events/advance.ts';
import type { CloudEvent } from '../../events/envelope.ts';
import { factEvent } from '../../events/fact.ts';
import { hookAnswer } from '../../events/hook-answer.ts';
import { hookCall } from '../../events/hook-call.ts';
import { ping } from '../../events/ping.ts';
import { resourceEvent } from '../../events/resource.ts';
import type { EventType } from '../../events/types.ts';
import type { HookCall } from '../../shared/machine/hook-call.ts';

export const time = Date.UTC(2026, 10, 20, 10, 35, 41);

export const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace: 'fleet',
  name: 'worker-7',
  uid: 'af06f518-e44a-42dc-a686-cb100956ef7b',
};

export const about = { machine, phase: 'drain', seq: 2 } as const;
export const pod = { namespace: 'shop', name: 'cart-5d9', uid: '0d8b8a3e-2f1c-4a55-9f3b-6f0e3f2f5a11' };

const object = {
  apiVersion: machine.apiVersion,
  kind: 'Machine',
  metadata: {
    name: machine.name,
    namespace: machine.namespace,
    uid: machine.uid,
    resourceVersion: '3517',
    generation: 1,
    creationTimestamp: '2026-11-20T10:00:00Z',
    finalizers: ['machine.cluster.x-k8s.io'],
    labels: { 'cluster.x-k8s.io/cluster-name': 'c1' },
  },
  spec: { clusterName: 'c1', providerID: 'metal://worker-7' },
};

const deleting = {
  ...object,
  metadata: {
    ...object.metadata,
    generation: 2,
    resourceVersion: '3521',
    deletionTimestamp: '2026-11-20T10:35:41Z',
  },
};

const plural = 'machines';
const source = 'https://10.96.0.1:443';
const ids = { add: 'a7b73669-4364-4407-8679-4ead71c1986a', update: '3f5c', delete: '91ab', ping: '61b83ae0' };

/** Begins with the second call of its turn, half a minute in. */
export const call = {
  id: '5f0c7a1be2d94c86',
  hook: { namespace: 'fleet', name: 'take-out-osd' },
  answerTo: 'eyJ0dXJuIjoiMSJ9.q7Yk2fEw',
  place: 'PreTerminate',
  machine: {
    ...machine,
    kind: 'Machine',
    providerID: 'metal://worker-7',
    labels: { pool: 'storage', rack: 'b4' },
  },
  node: { name: 'worker-7', uid: '3c1d52f0-6b0e-4a8f-9a33-0a5f5f8f7c21' },
  cluster: 'c1',
  begins: time - 30_000,
  deadline: time - 30_000 + 7_200_000,
  attempt: 2,
  lastMessage: 'moving 42 placement groups',
} satisfies HookCall;

/** One event of every type, as it is made. */
export const examples: Record<EventType, CloudEvent> = {
  'dev.knative.apiserver.resource.add': resourceEvent(
    { change: 'add', object, plural },
    { id: ids.add, source, time },
  ),
  'dev.knative.apiserver.resource.update': resourceEvent(
    { change: 'update', object: deleting, plural },
    { id: ids.update, source, time },
  ),
  'dev.knative.apiserver.resource.delete': resourceEvent(
    { change: 'delete', object: deleting, plural },
    { id: ids.delete, source, time },
  ),
  'dev.knative.sources.ping': ping('due', {
    id: ids.ping,
    source: '/apis/v1/namespaces/phaseout/pingsources/sweep-due',
    time,
  }),
  'dev.phaseout.deletion.advance.v1': advance({ ...about, resourceVersion: '3521' }, time),
  'dev.phaseout.deletion.started.v1': factEvent(
    { kind: 'started', machine, phase: 'pre-drain', seq: 0 },
    time,
  ),
  'dev.phaseout.deletion.advanced.v1': factEvent(
    { kind: 'advanced', ...about, from: 'pre-drain', as: 'done', message: 'no pre-drain hook is left' },
    time,
  ),
  'dev.phaseout.deletion.blocked.v1': factEvent(
    { kind: 'blocked', ...about, reason: 'DrainingNode', message: 'Drain not completed yet' },
    time,
  ),
  'dev.phaseout.deletion.failed.v1': factEvent(
    {
      kind: 'failed',
      machine,
      phase: 'node',
      seq: 6,
      reason: 'DeletingNode',
      message: 'Error deleting Node, please check controller logs for errors',
      error: 'nodes "worker-7" is forbidden',
    },
    time,
  ),
  'dev.phaseout.deletion.completed.v1': factEvent(
    { kind: 'completed', machine, phase: 'finalize', seq: 7 },
    time,
  ),
  'dev.phaseout.hook.waiting.v1': factEvent(
    {
      kind: 'hook-waiting',
      machine,
      phase: 'pre-terminate',
      seq: 4,
      point: 'pre-terminate',
      hooks: ['pre-terminate.delete.hook.machine.cluster.x-k8s.io/wipe-disks'],
      owners: { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/wipe-disks': 'disk-controller' },
    },
    time,
  ),
  'dev.phaseout.hook.late.v1': factEvent(
    {
      kind: 'hook-late',
      machine,
      phase: 'pre-drain',
      seq: 0,
      message: 'its deletion began before the hook was on it: its own controller drains it',
    },
    time,
  ),
  'dev.phaseout.hook.ended.v1': factEvent(
    {
      kind: 'hook-ended',
      machine,
      phase: 'pre-terminate',
      seq: 4,
      hook: 'fleet/take-out-osd',
      place: 'PreTerminate',
      as: 'Done',
      message: 'all placement groups are moved',
    },
    time,
  ),
  'dev.phaseout.pod.evicted.v1': factEvent({ kind: 'pod-evicted', ...about, pod }, time),
  'dev.phaseout.pod.refused.v1': factEvent(
    {
      kind: 'pod-refused',
      ...about,
      pod,
      cause: 'BudgetExhausted',
      text: "Cannot evict pod as it would violate the pod's disruption budget.",
      budget: 'cart',
    },
    time,
  ),
  'dev.phaseout.pod.unblocked.v1': factEvent(
    {
      kind: 'pod-unblocked',
      ...about,
      pod,
      action: 'RolloutRestart',
      policy: 'workers',
      cause: 'BudgetNeverAllows',
      since: '2026-01-01T00:00:00Z',
      message:
        'Restarted Deployment shop/web, so that Pod shop/web-1 moves: BudgetNeverAllows since 2026-01-01T00:00:00Z, for 600 s and more (DrainPolicy workers)',
      deployment: 'web',
    },
    time,
  ),
  'dev.phaseout.hook.call.v1': hookCall(call, time),
  'dev.phaseout.hook.answer.v1': hookAnswer(
    {
      answerTo: call.answerTo,
      state: 'Working',
      message: 'moving 12 placement groups',
      retryAfterSeconds: 60,
    },
    { id: `${call.id}/answer`, source: '/take-out-osd', time },
  ),
};
