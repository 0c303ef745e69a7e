import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aNode } from '../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, type World } from '../builders/world.ts';

// Volumes were waited for, then everything was paused for an hour, and by now they are waited for no more.

const done = { as: 'done', since: timeAfter(1) } as const;
const back = { ...pod('ns/back'), spec: { nodeName: 'node-1' } };
const excludedDrain = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
const excludedVolumes = { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' };
const overLimit = { nodeVolumeDetachTimeoutSeconds: 60 };

interface Given {
  passed?: Checkpoint['passed'];
  annotations?: Record<string, string>;
  /** `spec.deletion`. */
  limits?: object;
  /** `status.deletion`. */
  times?: object;
  hasNodeRef?: boolean;
}

/** Somebody has uncordoned the Node, and a Pod has come to it. */
function inUse({
  passed = { drain: done },
  annotations,
  limits = overLimit,
  times,
  hasNodeRef = true,
}: Given = {}): World {
  const since = timeAfter(2);
  const at = aCheckpoint({ seq: 3, phase: 'volume-detach', since, reached: since, passed });
  const deletion = { waitForNodeVolumeDetachStartTime: since, ...times };
  const status = { deletion, ...(hasNodeRef ? {} : { nodeRef: undefined }) };
  const spec = { deletion: limits };
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(at, annotations), spec, status }));
  world.time.now = after(3_600);
  world.workload.put('nodes', aNode({ unschedulable: false, volumesAttached: ['kubernetes.io/csi/d^1'] }));
  world.workload.put('pods', back);
  return world;
}

const step = ({ env }: World) =>
  reconcilePhase(env, phaseFunctions['volume-detach'], aCommand({ phase: 'volume-detach', seq: 3 }));

test.each<[what: string, given: Given, change: (world: World) => void, phase: string]>([
  ['their time is over, and a Pod that must go has come', {}, () => undefined, 'drain'],
  [
    'the Machine is excluded by now, and a Pod that must go has come',
    { annotations: excludedVolumes, limits: {} },
    () => undefined,
    'drain',
  ],
  [
    'a Pod has come to a Node that nobody hears from',
    {},
    ({ workload }) => void workload.put('nodes', aNode({ ready: 'Unknown' })),
    'drain',
  ],
  [
    'what had closed the drain is gone',
    { passed: { drain: { as: 'excluded', since: timeAfter(1) } } },
    () => undefined,
    'drain',
  ],
  [
    'no Pod has come, and none can',
    {},
    ({ workload }) => {
      workload.drop('pods/ns/back');
      workload.put('nodes', aNode());
    },
    'infrastructure',
  ],
  ['no Pod has come yet, and any may', {}, ({ workload }) => workload.drop('pods/ns/back'), 'drain'],
  ['the Node has gone', {}, ({ workload }) => workload.drop('nodes/node-1'), 'infrastructure'],
  ['drains are excluded', { annotations: excludedDrain }, () => undefined, 'infrastructure'],
  [
    'the time of the drain is over, too',
    { limits: { ...overLimit, nodeDrainTimeoutSeconds: 60 } },
    () => undefined,
    'infrastructure',
  ],
  [
    'pre-terminate hooks were waited for',
    { times: { waitForPreTerminateHookStartTime: timeAfter(5) } },
    () => undefined,
    'infrastructure',
  ],
  [
    'the server is going',
    {},
    ({ management }) => {
      const metadata = { deletionTimestamp: timeAfter(9), finalizers: ['a'] };
      management.change('servers/default/m-1', { metadata });
    },
    'infrastructure',
  ],
  [
    'the server has gone, and nobody can look at the Node',
    {},
    ({ management, workload }) => {
      management.drop('servers/default/m-1');
      workload.on('get nodes/node-1', noAnswer);
    },
    'infrastructure',
  ],
])('%s', async (_what, given, change, phase) => {
  const world = inUse(given);
  change(world);
  expect((await step(world)).next?.phase).toBe(phase);
});

function noAnswer(): never {
  throw new Unavailable('no answer');
}

test('why it is gone back is said', async () => {
  const message = 'Pods that must go have appeared on the Node again';
  expect((await step(inUse())).facts).toMatchObject([{ kind: 'advanced', message }]);
});

const noServer = 'the infrastructure object could not be read: no answer';
const unseen = 'what is on the Node now is unknown: no answer';

test.each<[what: string, fail: (world: World) => void, error: string]>([
  [
    'whether there is still a server',
    ({ management }) => management.on('get servers/default/m-1', noAnswer),
    noServer,
  ],
  ['whether its Node is there', ({ workload }) => workload.on('get nodes/node-1', noAnswer), unseen],
  ['what is on its Node', ({ workload }) => workload.on('list pods', noAnswer), unseen],
])('nobody goes on, or back, while it is not known %s', async (_what, fail, error) => {
  const world = inUse();
  fail(world);
  const { next, facts } = await step(world);
  expect(next).toBeUndefined();
  expect(facts).toMatchObject([{ kind: 'failed', reason: 'WaitingForVolumeDetach', error }]);
});

test('it is gone back where a rule does not let anybody tell which Pods have to go: the drain says so', async () => {
  const world = inUse();
  const odd = { metadata: { namespace: 'default', name: 'odd' }, spec: { drain: { behavior: 'Evict' } } };
  world.management.put('machinedrainrules', odd);
  expect((await step(world)).facts).toMatchObject([
    { phase: 'drain', message: expect.stringContaining('what is on the Node now is unknown: ') },
  ]);
});

test('a mistake of ours is no reason to go back', async () => {
  const world = inUse();
  world.workload.on('list pods', () => {
    throw new TypeError('a defect');
  });
  await expect(step(world)).rejects.toThrow('a defect');
});

test('nobody goes on while a Node that the Machine does not name cannot be looked for', async () => {
  const world = inUse({ hasNodeRef: false });
  world.workload.on('list nodes', noAnswer);
  expect((await step(world)).next).toBeUndefined();
});

test('who knows that the Node was cordoned does not go to and fro while nobody can look at it', async () => {
  const since = timeAfter(1);
  const at = aCheckpoint({ seq: 1, phase: 'drain', since });
  const spec = { deletion: { nodeVolumeDetachTimeoutSeconds: 20 } };
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(at), spec }));
  const { env, time, workload } = world;
  workload.put('nodes', aNode({ volumesAttached: ['kubernetes.io/csi/d^1'] }));
  const phasesFrom = async (phase: Phase, seq: number): Promise<Phase[]> => {
    const { next } = await reconcilePhase(env, phaseFunctions[phase], aCommand({ phase, seq }));
    return next === undefined || seq > 9 ? [phase] : [phase, ...(await phasesFrom(next.phase, next.seq))];
  };
  expect(await phasesFrom('drain', 1)).toEqual(['drain', 'volume-detach']);
  time.now = after(32);
  workload.on('get nodes/node-1', noAnswer, 9);
  expect(await phasesFrom('volume-detach', 2)).toEqual(['volume-detach']);
});
