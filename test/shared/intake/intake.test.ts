import { describe, expect, test } from 'vitest';
import { intake } from '../../../functions/intake.ts';
import { MachineUnreadable } from '../../../shared/dialects/dialect.ts';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import { intakeEvent } from '../../../shared/intake/intake.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { anActuator } from '../../builders/actuator.ts';
import { aCheckpoint, aRawMachine } from '../../builders/cluster-api.ts';
import { aRawMachine as anOpenShiftMachine } from '../../builders/openshift.ts';
import { aCommand, atCheckpoint, aWorld, machinePath } from '../../builders/world.ts';

const finalizer = 'machine.cluster.x-k8s.io';

/** Not being deleted; without our finalizer unless said otherwise. */
function aLivingMachine(metadata: Record<string, unknown> = {}): KubeObject {
  const raw = aRawMachine({ metadata: { finalizers: ['example.com/other'], ...metadata } });
  delete raw.metadata.deletionTimestamp;
  return raw;
}
const finalizersIn = (world: ReturnType<typeof aWorld>) =>
  world.management.at(machinePath)?.metadata.finalizers;

describe('a living Machine', () => {
  test('gets our finalizer beside the others, if it is still as it was heard of', async () => {
    const world = aWorld(aLivingMachine());
    expect(await intakeEvent(world.env, aLivingMachine())).toBeUndefined();
    expect(world.management.patches).toEqual([
      {
        path: machinePath,
        patch: {
          metadata: { resourceVersion: '7', uid: 'uid-1', finalizers: ['example.com/other', finalizer] },
        },
      },
    ]);
  });

  test('that has our finalizer needs nothing', async () => {
    const machine = aLivingMachine({ finalizers: [finalizer] });
    const world = aWorld(machine);
    expect(await intakeEvent(world.env, machine)).toBeUndefined();
    expect(world.log).toEqual([]);
  });

  test('that is moved to another cluster is let go of', async () => {
    const annotations = { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' };
    const machine = aLivingMachine({ annotations, finalizers: [] });
    const world = aWorld(machine);
    await intakeEvent(world.env, machine);
    expect(world.management.patches).toEqual([]);
  });

  test('that has changed meanwhile is read again', async () => {
    const world = aWorld(aLivingMachine());
    world.management.change(machinePath, { metadata: { finalizers: ['example.com/late'] } });
    await intakeEvent(world.env, aLivingMachine());
    expect(finalizersIn(world)).toEqual(['example.com/late', finalizer]);
  });

  test('that keeps changing is left to the next event after three tries', async () => {
    const world = aWorld(aLivingMachine());
    world.management.on(`patch ${machinePath}`, () => ({ kind: 'conflict', message: 'changed' }), 3);
    await expect(intakeEvent(world.env, aLivingMachine())).rejects.toThrow(
      'Machine default/m-1 kept changing',
    );
    expect(world.management.patches).toHaveLength(3);
  });

  test.each<[string, (world: ReturnType<typeof aWorld>) => void]>([
    [
      'is being deleted by now gets none: it would never go',
      ({ management }) =>
        management.change(machinePath, { metadata: { deletionTimestamp: '2026-01-01T12:00:00Z' } }),
    ],
    [
      'has got it from somebody else gets no second one',
      ({ management }) => management.change(machinePath, { metadata: { finalizers: [finalizer] } }),
    ],
    ['is gone is left alone', ({ management }) => management.drop(machinePath)],
    [
      'was made anew under its name is left alone',
      ({ management }) => void management.put('machines', aLivingMachine({ uid: 'uid-2' })),
    ],
  ])('that %s', async (_what, meanwhile) => {
    const world = aWorld(aLivingMachine());
    meanwhile(world);
    const before = finalizersIn(world);
    await intakeEvent(world.env, aLivingMachine());
    expect(finalizersIn(world)).toEqual(before);
  });

  test('that is gone when it is written to is not looked for', async () => {
    const world = aWorld(aLivingMachine());
    world.management.on(`patch ${machinePath}`, () => ({ kind: 'gone' }));
    expect(await intakeEvent(world.env, aLivingMachine())).toBeUndefined();
    expect(world.management.reads).toEqual([]);
  });

  test('whose finalizer is refused is tried again by the next event', async () => {
    const world = aWorld(aLivingMachine());
    world.management.on(`patch ${machinePath}`, () => ({ kind: 'refused', code: 403, message: 'forbidden' }));
    await expect(intakeEvent(world.env, aLivingMachine())).rejects.toThrow(
      'the finalizer could not be added: forbidden',
    );
  });
});

test('a living Machine of OpenShift gets our finalizer, and nobody asks about its server', async () => {
  const { deletionTimestamp: _, ...metadata } = anOpenShiftMachine().metadata;
  const machine = { ...anOpenShiftMachine(), metadata: { ...metadata, finalizers: [] } };
  const world = aWorld(machine);
  const actuator = anActuator();
  Object.assign(world.env, { actuator, dialects: [openShift] });
  expect(await intakeEvent(world.env, machine)).toBeUndefined();
  expect(finalizersIn(world)).toEqual(['machine.machine.openshift.io']);
  expect(actuator.asked).toEqual([]);
});

describe('a Machine that is being deleted', () => {
  test('is looked at where its checkpoint says', async () => {
    const machine = aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 3, phase: 'bootstrap' })) });
    expect(await intakeEvent(aWorld().env, machine)).toEqual(
      aCommand({ phase: 'bootstrap', seq: 3, resourceVersion: '7' }),
    );
  });

  test.each<[string, Record<string, string>]>([
    ['without a checkpoint', {}],
    ['with one that cannot be used', { 'phaseout.dev/checkpoint': '{' }],
    ['with one of another Machine', atCheckpoint(aCheckpoint({ uid: 'uid-2', phase: 'finalize' }))],
  ])('%s is looked at from the beginning', async (_what, annotations) => {
    expect(await intakeEvent(aWorld().env, aRawMachine({ annotations }))).toEqual(
      aCommand({ phase: 'drain', seq: 0, resourceVersion: '7' }),
    );
  });

  test('is looked at from the beginning where its checkpoint is of a phase that its API does not have', async () => {
    const annotations = atCheckpoint(aCheckpoint({ phase: 'bootstrap', seq: 6 }));
    const machine = anOpenShiftMachine({ annotations });
    const world = aWorld(machine);
    Object.assign(world.env, { dialects: [openShift] });
    expect(await intakeEvent(world.env, machine)).toMatchObject({ phase: 'drain', seq: 0 });
  });

  test('without our finalizer is none of ours, and gets none', async () => {
    const world = aWorld();
    expect(
      await intakeEvent(world.env, aRawMachine({ metadata: { finalizers: ['example.com/other'] } })),
    ).toBeUndefined();
    expect(world.log).toEqual([]);
  });
});

describe('the watch filter', () => {
  const label = 'cluster.x-k8s.io/watch-filter';
  test.each<[filter: string, value: string | undefined, isOurs: boolean]>([
    ['', undefined, true],
    ['', 'theirs', true],
    ['ours', 'ours', true],
    ['ours', 'theirs', false],
    ['ours', undefined, false],
    ['ours', 'ours-too', false],
  ])('%j accepts the label %j: %s', async (watchFilter, value, isOurs) => {
    const { env } = aWorld(aRawMachine(), { watchFilter });
    const labels = value === undefined ? {} : { [label]: value };
    const command = await intakeEvent(env, aRawMachine({ metadata: { labels } }));
    expect(command !== undefined).toBe(isOurs);
  });
});

test.each<[namespaces: string[], isOurs: boolean]>([
  [[], true],
  [['default'], true],
  [['other', 'default'], true],
  [['other'], false],
])(
  'Machines of the namespaces %j alone are looked after, which one in "default" is: %s',
  async (namespaces, isOurs) => {
    const { env } = aWorld(aRawMachine(), { namespaces });
    expect((await intakeEvent(env, aRawMachine())) !== undefined).toBe(isOurs);
  },
);

test("a Machine of an API that is not known is the sender's matter", async () => {
  const machine = aRawMachine({ apiVersion: 'cluster.x-k8s.io/v1alpha4' });
  await expect(intakeEvent(aWorld().env, machine)).rejects.toThrow(MachineUnreadable);
});

describe('an event of a Machine', () => {
  test('is news when this version was not seen yet', async () => {
    const world = aWorld();
    world.env.cache.rememberMachine(aRawMachine({ metadata: { resourceVersion: '6' } }));
    expect((await intake(world.env, aRawMachine())).next).toMatchObject({ phase: 'drain' });
  });

  test.each(['7', '12'])('is none when version %s was seen', async (resourceVersion) => {
    const world = aWorld();
    world.env.cache.rememberMachine(aRawMachine({ metadata: { resourceVersion } }));
    expect((await intake(world.env, aRawMachine())).next).toBeUndefined();
  });

  test('is none when the Machine is known to be gone', async () => {
    const world = aWorld();
    world.env.cache.rememberGone('uid-1');
    expect((await intake(world.env, aRawMachine())).next).toBeUndefined();
  });

  test('waits for the step that runs: it may be the echo of its write', async () => {
    const world = aWorld();
    const ends: (() => void)[] = [];
    void world.env.machineQueue.run(
      'uid-1',
      'a',
      () => new Promise<void>((resolve) => void ends.push(resolve)),
    );
    await Promise.resolve();
    const heard = intake(world.env, aRawMachine());
    world.env.cache.rememberMachine(aRawMachine());
    for (const end of ends) end();
    expect((await heard).next).toBeUndefined();
  });
});
