import { describe, expect, test } from 'vitest';
import { checkpoint, save, type Written, writeCheckpoint } from './asked.ts';
import { fleet } from './built-stage.ts';
import { causesAreTrue } from './causes-are-true.ts';
import { checkpointGoesForward } from './checkpoint-goes-forward.ts';
import { drainLeavesNothing } from './drain-leaves-nothing.ts';
import type { Invariant } from './invariant.ts';
import { objectsAreGone } from './objects-are-gone.ts';
import { openStage, type Stage } from './stage.ts';
import { volumesComeOff } from './volumes-come-off.ts';

interface Case {
  about: string;
  invariant: Invariant;
  /** What is so before the checkpoint is written. */
  before?: (stage: Stage) => void | Promise<void>;
  /** Checkpoints that are written, one after the other. */
  written: readonly Written[];
  cries?: string;
}

const attached = ({ world }: Stage): void => {
  const blue = world.cluster('blue');
  const attachment = blue.create('volumeattachments.storage.k8s.io', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'one' },
    spec: { attacher: 'csi', nodeName: 'node-1', source: { persistentVolumeName: 'data' } },
  });
  blue.patch('volumeattachments.storage.k8s.io', attachment, { status: { attached: true } }, 'status');
};

/** And the wait for volumes was gone back to. */
const attachedAgain = (stage: Stage): void => {
  attached(stage);
  const { uid } = stage.machine().metadata;
  const done = { as: 'done', since: '2026-01-01T00:00:00Z' };
  const passed = { 'volume-detach': done, drain: done };
  const stand = { v: 1, uid, seq: 1, phase: 'volume-detach', since: done.since, passed };
  stage.patchMachine({ metadata: { annotations: { 'phaseout.dev/checkpoint': JSON.stringify(stand) } } });
};

const infrastructure = 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io';

const tearAway = ({ world: { management } }: Stage): void => {
  management.patch(infrastructure, { metadata: fleet }, { metadata: { finalizers: [] } });
  management.remove(infrastructure, { metadata: fleet });
};

const readInfrastructure = (stage: Stage, code: number): void =>
  stage.ask({ verb: 'get', resource: infrastructure, ...fleet }, undefined, code);

const excluded = (stage: Stage): void =>
  stage.patchMachine({ metadata: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } } });

const at = 'instance-1 writes the checkpoint of Machine fleet/m1:';
const atVolumes = { seq: 1, phase: 'volume-detach', passed: { drain: 'done' } };

const cases: Case[] = [
  {
    about: 'one step after the other, and back to the drain',
    invariant: checkpointGoesForward,
    written: [{ seq: 0 }, atVolumes, { seq: 2, phase: 'drain' }],
  },
  {
    about: 'a first one over one that somebody has spoilt, be it in the time of a phase that was passed',
    invariant: checkpointGoesForward,
    before(stage) {
      const spoilt = checkpoint(stage, atVolumes).replace(/"since":"[^"]*"(?=})/, '"since":"yesterday"');
      stage.patchMachine({ metadata: { annotations: { 'phaseout.dev/checkpoint': spoilt } } });
    },
    written: [{ seq: 0 }],
  },
  {
    about: 'more steps than there are phases',
    invariant: checkpointGoesForward,
    written: [{ seq: 0 }, { seq: 5, phase: 'infrastructure' }],
    cries: `${at} seq 5 follows 0`,
  },
  {
    about: 'back to an earlier phase',
    invariant: checkpointGoesForward,
    written: [
      { seq: 0, phase: 'bootstrap' },
      { seq: 1, phase: 'drain' },
    ],
    cries: `${at} drain follows bootstrap`,
  },
  {
    about: 'back to the drain, as a Pod has come while the server was kept',
    invariant: checkpointGoesForward,
    written: [
      { seq: 0, phase: 'infrastructure' },
      { seq: 1, phase: 'drain' },
    ],
  },
  {
    about: 'a drain with a Pod left',
    invariant: drainLeavesNothing,
    before: (stage) => void stage.pod('a'),
    written: [{ seq: 0 }, atVolumes],
    cries: `${at} these Pods are still on the Node: shop/a`,
  },
  {
    about: 'a drain with only a Pod left that stays',
    invariant: drainLeavesNothing,
    before: (stage) => void stage.pod('a', { metadata: { labels: { 'cluster.x-k8s.io/drain': 'skip' } } }),
    written: [{ seq: 0 }, atVolumes],
  },
  {
    about: 'a drain that timed out with a Pod left',
    invariant: drainLeavesNothing,
    before: (stage) => void stage.pod('a'),
    written: [{ seq: 0 }, { seq: 1, phase: 'volume-detach', passed: { drain: 'timed-out' } }],
  },
  {
    about: 'volumes with one attached',
    invariant: volumesComeOff,
    before: attached,
    written: [
      atVolumes,
      { seq: 2, phase: 'infrastructure', passed: { drain: 'done', 'volume-detach': 'done' } },
    ],
    cries: `${at} these volumes are still attached: data`,
  },
  {
    about: 'volumes that are waited for again, of which a clock was ahead',
    invariant: volumesComeOff,
    before: attachedAgain,
    written: [{ seq: 1, phase: 'volume-detach', passed: { drain: 'done', 'volume-detach': 'done' } }],
  },
  {
    about: 'volumes that were waited for again with one attached',
    invariant: volumesComeOff,
    before: attachedAgain,
    written: [{ seq: 2, phase: 'infrastructure', passed: { drain: 'done', 'volume-detach': 'done' } }],
    cries: `${at} these volumes are still attached: data`,
  },
  {
    about: 'volumes with none attached',
    invariant: volumesComeOff,
    written: [
      atVolumes,
      { seq: 2, phase: 'infrastructure', passed: { drain: 'done', 'volume-detach': 'done' } },
    ],
  },
  {
    about: 'infrastructure that is there',
    invariant: objectsAreGone,
    written: [{ phase: 'infrastructure' }, { seq: 1, phase: 'node', passed: { infrastructure: 'done' } }],
    cries: `${at} its infrastructure object is there`,
  },
  {
    about: 'infrastructure that is gone',
    invariant: objectsAreGone,
    before(stage) {
      tearAway(stage);
      readInfrastructure(stage, 404);
    },
    written: [{ phase: 'infrastructure' }, { seq: 1, phase: 'node', passed: { infrastructure: 'done' } }],
  },
  {
    about: 'infrastructure that was torn away and made again before anybody could see it gone',
    invariant: objectsAreGone,
    before(stage) {
      readInfrastructure(stage, 200);
      tearAway(stage);
      stage.world.management.create(infrastructure, { metadata: fleet });
    },
    written: [{ phase: 'infrastructure' }, { seq: 1, phase: 'node', passed: { infrastructure: 'done' } }],
    cries: `${at} its infrastructure object is there`,
  },
  {
    about: 'a drain that nothing excludes',
    invariant: causesAreTrue,
    written: [{ phase: 'infrastructure', passed: { drain: 'excluded' } }],
    cries: `${at} drain is said to be excluded, and nothing makes it so`,
  },
  {
    about: 'a drain that is excluded',
    invariant: causesAreTrue,
    before: excluded,
    written: [{ phase: 'infrastructure', passed: { drain: 'excluded' } }],
  },
  {
    about: 'a Node that may be touched',
    invariant: causesAreTrue,
    written: [{ phase: 'finalize', passed: { node: 'not-applicable' } }],
    cries: `${at} node is said to be not-applicable, and nothing makes it so`,
  },
  {
    about: 'a Node of a Cluster without a control plane',
    invariant: causesAreTrue,
    before: ({ world }) =>
      world.management.remove('machines.cluster.x-k8s.io', { metadata: { namespace: 'fleet', name: 'cp' } }),
    written: [{ phase: 'finalize', passed: { node: 'not-applicable' } }],
  },
];

describe.each(Object.entries(Object.groupBy(cases, ({ invariant }) => invariant.name)))(
  '%s:',
  (_name, own = []) => {
    test.each(own)('$about', async ({ invariant, before, written, cries }) => {
      const stage = await openStage(invariant);
      await before?.(stage);
      await stage.pass(10);
      stage.look();
      for (const one of written) {
        save(stage, one);
        await stage.pass(10);
      }
      expect(stage.cries).toEqual(cries === undefined ? [] : [cries]);
    });
  },
);

test.each<[string, wrong: boolean, next: Written & { later: number }, cries: string[]]>([
  ['stamped anew after a clock was wrong', true, { later: -60_000 }, []],
  ['stamped anew without need', false, { later: -60_000 }, [`${at} seq 0 follows 0`]],
  ['that puts its start off', true, { later: 60_000 }, [`${at} seq 0 follows 0`]],
  ['of another phase', true, { later: 0, phase: 'infrastructure' }, [`${at} seq 0 follows 0`]],
])('a checkpoint only goes forward: one %s', async (_what, wrong, { later, ...next }, cries) => {
  const stage = await openStage(checkpointGoesForward);
  stage.world.begin();
  const began = stage.world.now();
  const since = (milliseconds: number): string => new Date(began + milliseconds).toISOString();
  const [instance] = stage.world.instances();
  if (wrong) instance?.strand.skew(100_000);
  save(stage, { since: since(100_000) }, instance?.name);
  instance?.strand.skew(0);
  save(stage, { since: since(100_000 + later), ...next }, instance?.name);
  expect(stage.cries).toEqual(cries);
});

const [handedOn, tried] = ['2026-01-01T00:01:00.000Z', '2026-01-01T01:00:00.000Z'];

test.each<[string, Written, string[]]>([
  ['begins with its first try', { since: tried, reached: handedOn }, []],
  ['forgets when it was handed on', { since: tried, reached: tried }, [`${at} seq 0 follows 0`]],
  ['begins earlier', { since: '2026-01-01T00:00:59.000Z', reached: handedOn }, [`${at} seq 0 follows 0`]],
  ['is another one', { since: tried, reached: handedOn, phase: 'node' }, [`${at} seq 0 follows 0`]],
])('a checkpoint only goes forward: a phase that was handed on %s', async (_what, next, cries) => {
  const stage = await openStage(checkpointGoesForward);
  save(stage, { since: handedOn });
  save(stage, next);
  expect(stage.cries).toEqual(cries);
});

test('a checkpoint only goes forward: a phase does not begin again and again', async () => {
  const stage = await openStage(checkpointGoesForward);
  save(stage, { since: handedOn });
  for (const hour of [1, 2, 3, 4])
    save(stage, { since: `2026-01-01T0${hour}:00:00.000Z`, reached: handedOn });
  expect(stage.cries).toEqual([`${at} its phase begins again and again`]);
});

test('each instance may find that a phase has to begin anew, where no status tells of the tries of others', async () => {
  const stage = await openStage(checkpointGoesForward);
  save(stage, { since: handedOn });
  for (const number of [1, 2, 3, 4, 5])
    save(stage, { since: `2026-01-01T0${number}:00:00.000Z`, reached: handedOn }, `instance-${number}`);
  expect(stage.cries).toEqual([]);
});

test('a checkpoint without a resourceVersion', async () => {
  const stage = await openStage(checkpointGoesForward);
  stage.ask(writeCheckpoint(stage, checkpoint(stage, {}), { resourceVersion: undefined }));
  expect(stage.cries).toEqual([`${at} the checkpoint is written without a resourceVersion`]);
});
