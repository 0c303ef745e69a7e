import { describe, expect, test } from 'vitest';
import { MachineUnreadable } from '../../../shared/dialects/dialect.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { isStillAsSeen } from '../../../shared/reconcile/act.ts';
import { load } from '../../../shared/reconcile/load.ts';
import { aCheckpoint, aCluster, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aNode } from '../../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const draining = aCheckpoint({ seq: 3, phase: 'drain' });
const withCheckpoint = (checkpoint = draining) =>
  aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint) }));
const readsOfMachine = (world: World) =>
  world.management.reads.filter((read) => read === `get ${machinePath}`).length;

describe('a Machine is found', () => {
  test('at the phase of its checkpoint', async () => {
    const world = withCheckpoint();
    const arrival = await load(world.env, 'drain', aCommand({ seq: 3 }), false);
    expect(arrival).toMatchObject({
      kind: 'here',
      arrived: {
        subject: { checkpoint: draining, nodeDeletion: { allowed: true } },
        isSaved: true,
      },
    });
  });

  test('by a newer command than its checkpoint too: that one was lost on the way', async () => {
    const arrival = await load(withCheckpoint().env, 'drain', aCommand({ seq: 9 }), false);
    expect(arrival.kind).toBe('here');
  });

  test('at the beginning when it has no checkpoint yet', async () => {
    const arrival = await load(aWorld().env, 'drain', aCommand({ seq: 0 }), false);
    expect(arrival).toMatchObject({
      kind: 'here',
      arrived: {
        isSaved: false,
        unusable: undefined,
        subject: { checkpoint: { seq: 0, phase: 'drain', since: '2026-01-01T12:00:10.000Z' } },
      },
    });
  });

  test.each<[string, string, string]>([
    ['corrupt', '{"v":1', 'it is not JSON'],
    [
      'foreign',
      JSON.stringify(aCheckpoint({ uid: 'uid-2', phase: 'finalize' })),
      'it was written for a Machine with UID uid-2',
    ],
  ])('at the beginning when its checkpoint is %s, and says why', async (_what, annotation, unusable) => {
    const world = aWorld(aRawMachine({ annotations: { 'phaseout.dev/checkpoint': annotation } }));
    const arrival = await load(world.env, 'drain', aCommand({ seq: 0 }), false);
    expect(arrival).toMatchObject({ kind: 'here', arrived: { isSaved: false, unusable } });
  });

  test("with the drain's own start when its checkpoint was lost", async () => {
    const status = { deletion: { nodeDrainStartTime: '2026-01-01T12:00:03Z' } };
    const arrival = await load(aWorld(aRawMachine({ status })).env, 'drain', aCommand({ seq: 0 }), false);
    expect(arrival).toMatchObject({
      arrived: { subject: { checkpoint: { since: '2026-01-01T12:00:03Z' } } },
    });
  });
});

describe('a command for another phase is passed on to where the Machine stands', () => {
  test('by its checkpoint', async () => {
    const arrival = await load(
      withCheckpoint().env,
      'bootstrap',
      aCommand({ phase: 'bootstrap', seq: 3 }),
      false,
    );
    expect(arrival).toEqual({
      kind: 'elsewhere',
      next: aCommand({ phase: 'drain', seq: 3, resourceVersion: '7' }),
    });
  });

  test('and counts as that does, whatever the command says', async () => {
    const command = aCommand({ phase: 'bootstrap', seq: 5 });
    expect(await load(withCheckpoint().env, 'bootstrap', command, false)).toMatchObject({
      next: { phase: 'drain', seq: 3 },
    });
  });

  test('without one by what applies to it', async () => {
    const world = aWorld();
    world.management.put(
      'clusters',
      aCluster({ metadata: { namespace: 'default', name: 'c', deletionTimestamp: 'x' } }),
    );
    const arrival = await load(world.env, 'drain', aCommand({ seq: 0 }), false);
    expect(arrival).toMatchObject({
      kind: 'not-begun',
      arrived: { isSaved: false, subject: { checkpoint: { phase: 'infrastructure', seq: 0 } } },
    });
  });
});

const ignored = (why: string) => ({ kind: 'ignored', why });

describe('a command is ignored', () => {
  test('when it repeats an older step, whatever its phase', async () => {
    for (const phase of ['drain', 'pre-drain'] as const) {
      const arrival = await load(withCheckpoint().env, phase, aCommand({ phase, seq: 2 }), false);
      expect(arrival).toMatchObject(ignored('a repeat of an older step'));
    }
  });

  test('when it repeats an older step, and what it has read is news to whoever hears of it next', async () => {
    const world = withCheckpoint();
    await load(world.env, 'drain', aCommand({ seq: 2 }), false);
    expect(world.env.cache.machine('uid-1')).toBeUndefined();
    await load(world.env, 'drain', aCommand({ seq: 3 }), false);
    expect(world.env.cache.machine('uid-1')).toBeDefined();
  });

  test('when it repeats an older step, and what was known before is forgotten: looks that are due would go by it for ever', async () => {
    const world = withCheckpoint();
    const before = aRawMachine({
      annotations: atCheckpoint(aCheckpoint({ seq: 2 })),
      metadata: { resourceVersion: '6' },
    });
    world.env.cache.rememberMachine(before, () => 60_000);
    await load(world.env, 'drain', aCommand({ seq: 2 }), false);
    expect(world.env.cache.machine('uid-1')).toBeUndefined();
  });

  test('when the Machine is not being deleted', async () => {
    const raw = aRawMachine();
    delete raw.metadata.deletionTimestamp;
    expect(await load(aWorld(raw).env, 'drain', aCommand(), false)).toEqual(
      ignored('it is not being deleted'),
    );
  });

  test('when our finalizer is not on the Machine', async () => {
    const raw = aRawMachine({ metadata: { finalizers: ['example.com/other'] } });
    expect(await load(aWorld(raw).env, 'drain', aCommand(), false)).toEqual(
      ignored('the finalizer machine.cluster.x-k8s.io is not on it'),
    );
  });

  test('when another watch filter is for the Machine', async () => {
    const world = aWorld(aRawMachine(), { watchFilter: 'others' });
    expect(await load(world.env, 'drain', aCommand(), false)).toEqual(
      ignored('its namespace or watch filter is not ours'),
    );
  });
});

describe('a Machine is gone', () => {
  test('when there is none of its name', async () => {
    const world = aWorld();
    world.management.drop(machinePath);
    expect(await load(world.env, 'drain', aCommand(), false)).toEqual({ kind: 'gone' });
  });

  test('when its name was taken again', async () => {
    const world = aWorld(aRawMachine({ metadata: { uid: 'uid-2' } }));
    expect(await load(world.env, 'drain', aCommand(), false)).toEqual({ kind: 'gone' });
  });
});

const remembering = (resourceVersion: string): World => {
  const world = withCheckpoint();
  const raw = world.management.at(machinePath)!;
  world.env.cache.rememberMachine({ ...raw, metadata: { ...raw.metadata, resourceVersion } });
  return world;
};

describe('memory saves a request', () => {
  test.each<[string, string, string | undefined, boolean, number]>([
    ['when it is what the command means', '7', '7', false, 0],
    ['when it is newer', '12', '7', false, 0],
    ['but not when it is older', '7', '12', false, 1],
    ['but not when versions are no numbers and differ', 'b', 'a', false, 1],
    ['but not when the command names no version: it is news of a change', '7', undefined, false, 1],
    ['but not when the step starts over', '7', '7', true, 1],
  ])('%s', async (_when, known, asked, freshly, reads) => {
    const world = remembering(known);
    const command = aCommand({ seq: 3, ...(asked === undefined ? {} : { resourceVersion: asked }) });
    await load(world.env, 'drain', command, freshly);
    expect(readsOfMachine(world)).toBe(reads);
  });

  test.each<[string, number, number]>([
    ['for 15 seconds', 15_000, 0],
    ['and no longer: its news may have been lost', 15_001, 1],
  ])('%s, whatever the clock is set back to', async (_when, milliseconds, reads) => {
    const world = remembering('7');
    world.time.now -= 3_600_000;
    world.time.passed += milliseconds;
    await load(world.env, 'drain', aCommand({ seq: 3, resourceVersion: '7' }), false);
    expect(readsOfMachine(world)).toBe(reads);
  });

  test('but a Machine that went without a word is found to be gone', async () => {
    const world = remembering('7');
    world.management.drop(machinePath);
    world.time.now += 20_000;
    const command = aCommand({ seq: 3, resourceVersion: '7' });
    expect(await load(world.env, 'drain', command, false)).toEqual({ kind: 'gone' });
  });

  test('and is filled by what was read, as of when that was begun', async () => {
    const world = withCheckpoint();
    world.management.on(`get ${machinePath}`, () => void (world.time.now += 3_000));
    const arrival = await load(world.env, 'drain', aCommand({ seq: 3 }), false);
    expect(arrival.kind === 'here' && arrival.arrived.age()).toBe(3_000);
    expect(world.env.cache.machine('uid-1')?.age()).toBe(3_000);
  });

  test('and is filled by what was read', async () => {
    const world = withCheckpoint();
    await load(world.env, 'drain', aCommand({ seq: 3 }), false);
    expect(world.env.cache.machine('uid-1')?.raw.metadata.resourceVersion).toBe('7');
  });
});

const reads = async (world: World, phase: Parameters<typeof load>[1]) => {
  await load(world.env, phase, aCommand({ phase, seq: 3 }), false);
  return [...world.management.reads.slice(1), ...world.workload.reads];
};

describe('what is read beside the Machine', () => {
  test.each([
    ['drain', ['get clusters/default/c', 'list machines']],
    ['pre-terminate', ['get clusters/default/c']],
    ['infrastructure', ['get clusters/default/c']],
    ['bootstrap', ['get clusters/default/c', 'list machines']],
    ['node', ['get clusters/default/c', 'list machines']],
    ['finalize', ['get clusters/default/c']],
  ] as const)('in %s', async (phase, expected) => {
    expect(await reads(withCheckpoint({ ...draining, phase }), phase)).toEqual(expected);
  });

  test.each(['pre-terminate', 'infrastructure', 'finalize'] as const)(
    'in %s tells nothing of the Node, so that it may not be touched',
    async (phase) => {
      const world = withCheckpoint({ ...draining, phase });
      expect(await load(world.env, phase, aCommand({ phase, seq: 3 }), false)).toMatchObject({
        arrived: { subject: { nodeDeletion: { allowed: false } } },
      });
    },
  );

  test('is no control plane when the Cluster is being deleted', async () => {
    const world = withCheckpoint();
    world.management.put(
      'clusters',
      aCluster({ metadata: { namespace: 'default', name: 'c', deletionTimestamp: 'x' } }),
    );
    expect(await reads(world, 'drain')).toEqual(['get clusters/default/c']);
  });

  test('are the Nodes, when the Machine has a provider ID and no Node: the one that has it too is found', async () => {
    const world = aWorld(
      aRawMachine({ annotations: atCheckpoint(draining), status: { nodeRef: undefined } }),
    );
    world.workload.put('nodes', aNode({ name: 'node-2', uid: 'u2', providerID: 'x://m-2' }));
    const arrival = await load(world.env, 'drain', aCommand({ seq: 3 }), false);
    expect(world.workload.reads).toEqual(['list nodes']);
    expect(arrival).toMatchObject({ arrived: { subject: { machine: { nodeName: 'node-1' } } } });
  });

  test.each<[string, (world: World) => void]>([
    ['none has it', ({ workload }) => workload.drop('nodes/node-1')],
    [
      'one has an id that ends like it',
      ({ workload }) => void workload.put('nodes', aNode({ providerID: 'cloud:x://m-1' })),
    ],
  ])('and the Machine has no Node when %s', async (_when, meanwhile) => {
    const world = aWorld(
      aRawMachine({ annotations: atCheckpoint(draining), status: { nodeRef: undefined } }),
    );
    meanwhile(world);
    const arrival = await load(world.env, 'drain', aCommand({ seq: 3 }), false);
    expect(arrival).toMatchObject({
      arrived: {
        subject: {
          nodeDeletion: {
            allowed: false,
            why: expect.stringContaining('noderef is nil: the Machine names no Node'),
          },
        },
      },
    });
  });

  test('and there is a Node, though not which, when two have it', async () => {
    const world = aWorld(
      aRawMachine({ annotations: atCheckpoint(draining), status: { nodeRef: undefined } }),
    );
    world.workload.put('nodes', aNode({ name: 'node-2', uid: 'u2' }));
    const arrival = await load(world.env, 'drain', aCommand({ seq: 3 }), false);
    expect(arrival).toMatchObject({
      kind: 'here',
      arrived: {
        subject: {
          nodeDeletion: { allowed: true },
          nodeSearch: { kind: 'several', names: ['node-1', 'node-2'] },
        },
      },
    });
  });

  const noNode = {
    kind: 'not-begun',
    arrived: {
      subject: {
        nodeDeletion: { why: expect.stringContaining('noderef is nil: the Machine names no Node') },
      },
    },
  };
  const unknown = { kind: 'blind', why: { message: 'no answer' } };
  const going = { metadata: { deletionTimestamp: timeAfter(5), finalizers: ['a'] } };

  test.each<[what: string, looks: number[], expected: object]>([
    ['has one that is not seen as its deletion begins', [0], unknown],
    ['has one that is not seen for a minute', [0, 5, 59], unknown],
    ['has no Node after a minute', [0, 20, 40, 60], noNode],
    ['has one that is not seen by who has tried twice before a long pause', [0, 5, 600], unknown],
    ['has one that is not seen at the first look, which comes late', [600], unknown],
    ['has one that is not seen after a long pause either', [0, 600], unknown],
    ['has no Node a minute after the first look, which came late', [600, 620, 640, 660], noNode],
    ['has one that is not seen by a clock that is behind', [-1], unknown],
  ])('and the Machine %s when they cannot be listed', async (_what, looks, expected) => {
    const world = aWorld(aRawMachine({ status: { nodeRef: undefined } }));
    world.workload.on('list nodes', noAnswer, Infinity);
    const arrivals = [];
    for (const seconds of looks) {
      world.time.now = after(seconds);
      arrivals.push(await load(world.env, 'drain', aCommand({ seq: 3 }), false));
    }
    expect(arrivals.at(-1)).toMatchObject(expected);
  });

  test('and the Machine has no Node when they cannot be listed and its server is on its way', async () => {
    const world = aWorld(aRawMachine({ status: { nodeRef: undefined } }));
    world.management.change('servers/default/m-1', going);
    world.workload.on('list nodes', noAnswer);
    expect(await load(world.env, 'drain', aCommand({ seq: 3 }), false)).toMatchObject(noNode);
  });
});

describe('what has to be known first and cannot be read', () => {
  test('leaves the Machine where it stands, and says why', async () => {
    const world = withCheckpoint();
    world.management.drop('clusters/default/c');
    expect(await load(world.env, 'drain', aCommand({ seq: 3 }), false)).toMatchObject({
      kind: 'blind',
      why: { message: 'Cluster default/c does not exist: its Machines cannot be deleted' },
      arrived: { isSaved: true, subject: { checkpoint: draining } },
    });
  });

  test('makes no Machine begin', async () => {
    const world = aWorld();
    world.management.on('list machines', () => {
      throw new Unavailable('no answer');
    });
    expect(await load(world.env, 'drain', aCommand({ seq: 0 }), false)).toMatchObject({
      kind: 'blind',
      why: { message: 'failed to check if Kubernetes Node deletion is allowed: no answer' },
      arrived: { isSaved: false },
    });
  });
});

test.each(['cluster.x-k8s.io/v1alpha4', 'machine.example.com/v1beta2', 'v1', ''])(
  'a Machine of API %j is not known',
  async (apiVersion) => {
    const machine = { ...aCommand().machine, apiVersion };
    const failure = load(aWorld().env, 'drain', aCommand({ machine }), false);
    await expect(failure).rejects.toThrow(MachineUnreadable);
    await expect(failure).rejects.toThrow(
      `Machine default/m-1: unknown apiVersion "${apiVersion}" (known: cluster.x-k8s.io/v1beta2, cluster.x-k8s.io/v1beta1)`,
    );
  },
);

function noAnswer(): never {
  throw new Unavailable('no answer');
}

async function arrivedIn(world: World) {
  const arrival = await load(world.env, 'drain', aCommand({ seq: 3 }), false);
  if (arrival.kind !== 'here') throw new Error(arrival.kind);
  world.management.reads.length = 0;
  return arrival.arrived;
}

describe('a Machine is still as it was seen', () => {
  test('for a second, without asking', async () => {
    const world = withCheckpoint();
    const arrived = await arrivedIn(world);
    world.time.now += 1_000;
    expect(await isStillAsSeen(world.env, arrived)).toBe(true);
    expect(readsOfMachine(world)).toBe(0);
  });

  test('not by a clock that was set back since', async () => {
    const world = withCheckpoint();
    const arrived = await arrivedIn(world);
    world.time.now -= 3_600_000;
    world.time.passed += 1_001;
    world.management.change(machinePath, { metadata: { labels: { a: 'b' } } });
    expect(await isStillAsSeen(world.env, arrived)).toBe(false);
  });

  test('from when it was asked for on, however long the answer took', async () => {
    const world = withCheckpoint();
    const arrived = await arrivedIn(world);
    world.time.now += 1_001;
    world.management.on(`get ${machinePath}`, () => void (world.time.now += 1_001));
    expect(await isStillAsSeen(world.env, arrived)).toBe(true);
    expect(arrived.age()).toBe(1_001);
  });

  test('after that only if nobody has written it', async () => {
    const world = withCheckpoint();
    const arrived = await arrivedIn(world);
    world.time.now += 1_001;
    expect(await isStillAsSeen(world.env, arrived)).toBe(true);
    world.time.now += 1_000;
    expect(await isStillAsSeen(world.env, arrived)).toBe(true);
    expect(readsOfMachine(world)).toBe(1);
    world.time.now += 1;
    world.management.change(machinePath, { metadata: { labels: { a: 'b' } } });
    expect(await isStillAsSeen(world.env, arrived)).toBe(false);
    world.management.drop(machinePath);
    expect(await isStillAsSeen(world.env, arrived)).toBe(false);
  });
});
