import { expect, test } from 'vitest';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { aCheckpoint, aRawMachine, aRawV1Beta1Machine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { atCheckpoint, aWorld } from '../../builders/world.ts';
import { planOf } from './plans.ts';

const seconds = {
  nodeDrainTimeoutSeconds: 8,
  nodeVolumeDetachTimeoutSeconds: 5,
  nodeDeletionTimeoutSeconds: 10,
};
const durations = { nodeDrainTimeout: '8s', nodeVolumeDetachTimeout: '5s', nodeDeletionTimeout: '10s' };

const thenPodsGo = 'no Pod is evicted any more, and Pods that are still on the Node go with the server';
const thenVolumesGo = 'the server is deleted while volumes are attached to it';
const thenNodeStays = 'the Node object is left behind, and the Machine goes';

/** A Pod has to go. The time is ten seconds after the deletion was asked for. */
async function limitsOf(machine: KubeObject): Promise<unknown> {
  const world = aWorld(machine);
  world.workload.put('pods', { ...pod('ns/web'), spec: { nodeName: 'node-1' } });
  return (await planOf(world, machine.apiVersion)).limits;
}

const toCome = [
  { phase: 'drain', seconds: 8, leftSeconds: 8, afterwards: thenPodsGo },
  { phase: 'volume-detach', seconds: 5, leftSeconds: 5, afterwards: thenVolumesGo },
  { phase: 'node', seconds: 10, leftSeconds: 10, afterwards: thenNodeStays },
];

test.each<[version: string, machine: KubeObject]>([
  ['v1beta2', aRawMachine({ spec: { deletion: seconds } })],
  ['v1beta1', aRawV1Beta1Machine({ spec: durations })],
])(
  'a step of %s that has not begun is given up as long after it begins as its limit says',
  async (_version, machine) => {
    expect(await limitsOf(machine)).toEqual(toCome);
  },
);

test('that a plan takes its time makes no step begin', async () => {
  const world = aWorld(aRawMachine({ spec: { deletion: seconds } }));
  world.workload.put('pods', { ...pod('ns/web'), spec: { nodeName: 'node-1' } });
  world.env.clock = { ...world.env.clock, now: () => (world.time.now += 7) };
  expect((await planOf(world)).limits).toEqual(toCome);
});

const midway = (checkpoint: Partial<Checkpoint>, began: object): KubeObject =>
  aRawMachine({
    annotations: atCheckpoint(aCheckpoint(checkpoint)),
    spec: { deletion: seconds },
    status: { deletion: began },
  });

test('the time of a step that has begun counts from its start, and of those after it from theirs', async () => {
  const machine = midway({ phase: 'drain', since: timeAfter(4) }, { nodeDrainStartTime: timeAfter(4) });
  expect(await limitsOf(machine)).toEqual([
    { ...toCome[0], since: timeAfter(4), givenUpAt: timeAfter(12), leftSeconds: 2 },
    toCome[1],
    toCome[2],
  ]);
});

test('a step whose time is over is given up now', async () => {
  const machine = midway({ phase: 'drain', since: timeAfter(1) }, { nodeDrainStartTime: timeAfter(1) });
  expect(await limitsOf(machine)).toMatchObject([
    { phase: 'drain', givenUpAt: timeAfter(9), leftSeconds: 0 },
    { phase: 'volume-detach' },
    { phase: 'node' },
  ]);
});

test('a step that the deletion has left behind is not given up any more', async () => {
  const machine = midway({ phase: 'node', since: timeAfter(9), reached: timeAfter(8) }, {});
  expect(await limitsOf(machine)).toEqual([
    { ...toCome[2], since: timeAfter(9), givenUpAt: timeAfter(19), leftSeconds: 9 },
  ]);
});

test('a step that the Machine is excluded from is not given up', async () => {
  const annotations = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
  const machine = aRawMachine({ annotations, spec: { deletion: seconds } });
  expect(await limitsOf(machine)).toEqual(toCome.slice(1));
});

test.each<[what: string, deletion: object]>([
  ['unset', {}],
  ['0', { nodeDrainTimeoutSeconds: 0, nodeVolumeDetachTimeoutSeconds: 0, nodeDeletionTimeoutSeconds: 0 }],
])('no step is given up where its limit is %s', async (_what, deletion) => {
  expect(await limitsOf(aRawMachine({ spec: { deletion } }))).toBeUndefined();
});

test('of negative limits, which v1beta1 lets in, only that of the Node is one', async () => {
  const spec = { nodeDrainTimeout: '-1s', nodeVolumeDetachTimeout: '-1s', nodeDeletionTimeout: '-1s' };
  expect(await limitsOf(aRawV1Beta1Machine({ spec }))).toEqual([
    { phase: 'node', seconds: 0, leftSeconds: 0, afterwards: thenNodeStays },
  ]);
});

test('a step that was reached and never tried has all its time', async () => {
  expect(await limitsOf(midway({ phase: 'node', since: timeAfter(7) }, {}))).toEqual([toCome[2]]);
});
