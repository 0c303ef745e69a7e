import { describe, expect, test } from 'vitest';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { MachineEvent } from '../../../shared/machine/report.ts';
import { saveCheckpoint } from '../../../shared/write/checkpoint.ts';
import { writeEvents } from '../../../shared/write/events.ts';
import { removeFinalizer } from '../../../shared/write/finalizer.ts';
import { WriteRefused } from '../../../shared/write/outcome.ts';
import { saveStatus } from '../../../shared/write/status.ts';
import { aCheckpoint, after, aMachine, aRawMachine, aStatusInput } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld, machinePath, type World } from '../../builders/world.ts';

const subject = aSubject();
const conflict = (): WriteOutcome => ({ kind: 'conflict', message: 'changed' });
const refusedWith = (code: number) => (): WriteOutcome => ({ kind: 'refused', code, message: 'forbidden' });
const refused = refusedWith(403);
const remembered = ({ env }: World) => env.cache.machine('uid-1')?.raw.metadata.resourceVersion;

const saveStep = ({ env }: World) => saveCheckpoint(env, subject, aCheckpoint({ seq: 2 }));

describe('the checkpoint', () => {
  test('is written and the answer is the Machine to go on with', async () => {
    const world = aWorld();
    const saved = await saveStep(world);
    expect(saved).toMatchObject({
      kind: 'saved',
      machine: { annotations: { 'phaseout.dev/checkpoint': expect.stringContaining('"seq":2') } },
    });
    expect(remembered(world)).toBe(world.management.at(machinePath)?.metadata.resourceVersion);
  });

  test('keeps the Node that was found for a Machine that names none', async () => {
    const world = aWorld(aRawMachine({ status: { nodeRef: undefined } }));
    const found = { ...aMachine({ status: { nodeRef: undefined } }), nodeName: 'node-1' };
    const saved = await saveCheckpoint(world.env, { ...subject, machine: found }, aCheckpoint());
    expect(saved).toMatchObject({ machine: { nodeName: 'node-1' } });
  });

  test.each<[string, (world: World) => void, object]>([
    [
      'somebody wrote',
      ({ management }) => management.on(`patch ${machinePath}`, conflict),
      { kind: 'conflict' },
    ],
    ['it is gone', ({ management }) => management.drop(machinePath), { kind: 'gone' }],
    [
      'its name was taken again',
      ({ management }) => void management.put('machines', aRawMachine({ metadata: { uid: 'uid-2' } })),
      { kind: 'conflict' },
    ],
  ])(
    'is not written on a Machine when %s, and what was known of it is forgotten',
    async (_when, meanwhile, outcome) => {
      const world = aWorld();
      world.env.cache.rememberMachine(aRawMachine());
      meanwhile(world);
      expect(await saveStep(world)).toEqual(outcome);
      expect(remembered(world)).toBeUndefined();
    },
  );

  test('that is refused stops the step: without it nothing may be done, and nothing is worth another try soon', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}`, refused);
    await expect(saveStep(world)).rejects.toThrow(
      new WriteRefused('the checkpoint could not be written: forbidden'),
    );
  });

  test.each<[what: string, annotations: Record<string, string>]>([
    ['nothing of it', {}],
    ['another one', { 'phaseout.dev/checkpoint': '{"seq":1}' }],
  ])('is refused where the answer has %s, whatever its code says', async (_what, annotations) => {
    const world = aWorld();
    const object = aRawMachine({ annotations });
    world.management.on(`patch ${machinePath}`, () => ({ kind: 'written', object }));
    await expect(saveStep(world)).rejects.toThrow(
      new WriteRefused(
        'the checkpoint could not be written: it is not what was stored; a webhook may keep the annotation off',
      ),
    );
    expect(remembered(world)).toBeUndefined();
  });
});

describe('the status', () => {
  const report = { reason: 'DrainingNode', message: 'going on' } as const;
  const save = ({ env, management }: World, now = after(10)) => {
    const machine = subject.dialect.read(management.at(machinePath)!);
    const input = aStatusInput({ machine, report, now });
    return saveStatus(env, { ...subject, machine }, input);
  };

  test('is written where it differs, and nothing else of it', async () => {
    const world = aWorld();
    expect(await save(world)).toMatchObject({ kind: 'saved', changed: true });
    const { patch } = world.management.patches[0]!;
    expect(patch).toMatchObject({ metadata: { resourceVersion: '7', uid: 'uid-1' } });
    expect(patch).not.toHaveProperty('status.initialization');
    expect(world.log).toEqual([`patch ${machinePath}/status`]);
  });

  test('is not written when nothing changes, however much time has gone by', async () => {
    const world = aWorld();
    await save(world);
    expect(await save(world, after(300))).toMatchObject({ kind: 'saved', changed: false });
    expect(world.log).toHaveLength(1);
  });

  test('that an older API keeps out is not sent again until somebody has written the Machine', async () => {
    const world = aWorld();
    const path = `patch ${machinePath}/status`;
    const keptOut = (): WriteOutcome => ({ kind: 'written', object: world.management.at(machinePath)! });
    world.management.on(path, keptOut, 2);
    expect(await save(world)).toMatchObject({ kind: 'saved', changed: false });
    expect(await save(world)).toMatchObject({ kind: 'saved', changed: false });
    expect(world.log).toEqual([path]);
    world.management.change(machinePath, { metadata: { labels: { somebody: 'else' } } });
    await save(world);
    expect(world.log).toEqual([path, path]);
  });

  test('that is refused does not stop the deletion', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}/status`, refused);
    expect(await save(world)).toMatchObject({ kind: 'saved', changed: false });
    expect(world.said).toEqual(['Status was refused']);
  });

  test('that is refused rests for a minute, whatever it says, unless somebody has written the Machine', async () => {
    const world = aWorld();
    const path = `patch ${machinePath}/status`;
    world.management.on(path, refused, 4);
    await save(world);
    world.time.now += 59_999;
    await save(world, after(69));
    const machine = subject.dialect.read(world.management.at(machinePath)!);
    const other = { reason: 'DrainingNode', message: 'something else' } as const;
    await saveStatus(world.env, { ...subject, machine }, aStatusInput({ machine, report: other }));
    expect(world.log).toEqual([path]);
    world.time.now += 1;
    await save(world, after(70));
    expect(world.log).toEqual([path, path]);
    world.management.change(machinePath, { metadata: { labels: { somebody: 'else' } } });
    await save(world, after(70));
    expect(world.log).toEqual([path, path, path]);
  });

  test('of a Machine that somebody wrote is a conflict', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}/status`, conflict);
    expect(await save(world)).toMatchObject({ kind: 'conflict' });
  });
});

describe('the finalizer', () => {
  test('goes from a Machine that is still as it was seen', async () => {
    const world = aWorld();
    expect(await removeFinalizer(world.env, subject)).toEqual({ kind: 'removed', rest: undefined });
    expect(world.management.patches).toEqual([
      {
        path: machinePath,
        patch: [
          { op: 'test', path: '/metadata/uid', value: 'uid-1' },
          { op: 'test', path: '/metadata/resourceVersion', value: '7' },
          { op: 'test', path: '/metadata/finalizers/0', value: 'machine.cluster.x-k8s.io' },
          { op: 'remove', path: '/metadata/finalizers/0' },
        ],
      },
    ]);
  });

  test('stays on a Machine that somebody wrote, and what was known of it is forgotten', async () => {
    const world = aWorld();
    world.env.cache.rememberMachine(aRawMachine());
    world.management.change(machinePath, { metadata: { labels: { a: 'b' } } });
    expect(await removeFinalizer(world.env, subject)).toEqual({ kind: 'conflict' });
    expect(world.management.at(machinePath)?.metadata.finalizers).toEqual(['machine.cluster.x-k8s.io']);
    expect(remembered(world)).toBeUndefined();
  });

  test('of a Machine that is gone has gone with it', async () => {
    const world = aWorld();
    world.management.drop(machinePath);
    expect(await removeFinalizer(world.env, subject)).toEqual({ kind: 'gone' });
  });

  test('that may not be removed is not gone', async () => {
    const world = aWorld();
    world.management.on(`json-patch ${machinePath}`, refused);
    await expect(removeFinalizer(world.env, subject)).rejects.toThrow(
      new WriteRefused('the finalizer could not be removed: forbidden'),
    );
  });

  test('that a webhook puts back is not gone, whatever the code of the answer says', async () => {
    const world = aWorld();
    world.management.on(`json-patch ${machinePath}`, () => ({ kind: 'written', object: aRawMachine() }));
    await expect(removeFinalizer(world.env, subject)).rejects.toThrow(
      new WriteRefused('the finalizer could not be removed: it is there again; a webhook may put it back'),
    );
  });
});

const names = ({ log }: World) => log.map((line) => line.replace('create events/default/', ''));

describe('Kubernetes Events', () => {
  const fact: MachineEvent = { type: 'Warning', reason: 'FailedDrainNode', message: 'why' };

  /** How many names there are where each of these tells of two ports. */
  const namesOf = async (...as: Partial<typeof fact>[]): Promise<number> => {
    const world = aWorld();
    for (const each of as)
      for (const port of [51_234, 51_235])
        await writeEvents(world.env, subject, [{ ...fact, ...each, message: `from port ${port}` }]);
    return new Set(names(world)).size;
  };

  test('say who, what and when', async () => {
    const world = aWorld();
    await writeEvents(world.env, subject, [fact]);
    const [name = ''] = names(world);
    expect(name).toBe('m-1.3a0170eaf957ff4b');
    expect(world.management.at(`events/default/${name}`)).toMatchObject({
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Machine',
        namespace: 'default',
        name: 'm-1',
        uid: 'uid-1',
        resourceVersion: '7',
      },
      type: 'Warning',
      reason: 'FailedDrainNode',
      message: 'why',
      source: { component: 'machine-controller' },
      reportingComponent: 'machine-controller',
      reportingInstance: '',
      firstTimestamp: '2026-01-01T12:00:10Z',
      lastTimestamp: '2026-01-01T12:00:10Z',
      count: 1,
    });
  });

  test('have the same name when told again, whenever that is', async () => {
    const world = aWorld();
    await writeEvents(world.env, subject, [fact]);
    world.time.now += 60_000;
    await writeEvents(world.env, subject, [fact]);
    const [first, second] = names(world);
    expect(second).toBe(first);
  });

  test('are made once where a step says the same twice', async () => {
    const world = aWorld();
    await writeEvents(world.env, subject, [fact, { ...fact, message: 'why not' }, fact]);
    expect(names(world)).toHaveLength(2);
  });

  test('of another step, fact or Machine have another name', async () => {
    const world = aWorld();
    const machine = aMachine({ metadata: { uid: 'uid-2' } });
    await writeEvents(world.env, subject, [fact, { ...fact, message: 'why not' }]);
    await writeEvents(world.env, aSubject({ checkpoint: { seq: 2 } }), [fact]);
    await writeEvents(world.env, aSubject({ machine }), [fact]);
    expect(new Set(names(world)).size).toBe(4);
  });

  test('of an error have the same name whatever its numbers and IDs are, and others do not', async () => {
    expect(await namesOf({ type: 'Warning' })).toBe(1);
    expect(await namesOf({ type: 'Normal', reason: 'DrainRequeued' })).toBe(1);
    expect(await namesOf({ type: 'Normal', reason: 'DrainSucceeded' })).toBe(2);
    expect(await namesOf({ type: 'Warning' }, { type: 'Normal', reason: 'DrainSucceeded' })).toBe(3);
  });

  test('are made in their order, however long each takes', async () => {
    const world = aWorld();
    const made: unknown[] = [];
    world.management.create = async (_resource, object) => {
      for (let turn = 0; object['message'] === 'why' && turn < 9; turn += 1) await Promise.resolve();
      made.push(object['message']);
      return { kind: 'written', object };
    };
    await writeEvents(world.env, subject, [fact, { ...fact, message: 'why not' }]);
    expect(made).toEqual(['why', 'why not']);
  });

  test('are cut to what the API takes', async () => {
    const world = aWorld();
    await writeEvents(world.env, subject, [{ ...fact, message: 'x'.repeat(2_000) }]);
    const event = world.management.at(`events/default/${names(world)[0]}`);
    expect(event?.['message']).toBe('x'.repeat(1_024));
  });

  test('have the same name where they differ only in what is cut', async () => {
    const world = aWorld();
    for (const end of ['', ' and more'])
      await writeEvents(world.env, subject, [{ ...fact, message: `${'x'.repeat(1_024)}${end}` }]);
    const [first, second] = names(world);
    expect(second).toBe(first);
  });

  test.each<[string, () => WriteOutcome, string[]]>([
    ['are refused', refused, ['Event was refused']],
    [
      'cannot be sent',
      () => {
        throw new Unavailable('no answer');
      },
      ['Event could not be written'],
    ],
    ['exist already', conflict, []],
  ])('that %s hold nothing up', async (_what, run, said) => {
    const world = aWorld();
    world.management.on('create events', run);
    await writeEvents(world.env, subject, [fact]);
    expect(world.said).toEqual(said);
  });

  describe('that nobody here may write', () => {
    async function refusedOnce(code = 403): Promise<World> {
      const world = aWorld();
      world.management.on('create events', refusedWith(code));
      expect(await writeEvents(world.env, subject, [fact])).toBe(true);
      return world;
    }

    async function triesAfter(world: World, milliseconds: number, of = subject): Promise<number> {
      world.time.now += milliseconds;
      await writeEvents(world.env, of, []);
      return names(world).length;
    }

    test.each([
      ['for want of a permission', 403],
      ['by a policy', 422],
    ])('%s are tried again half a minute later, and then owed no more', async (_why, code) => {
      const world = await refusedOnce(code);
      expect(await triesAfter(world, 29_000)).toBe(1);
      expect(await triesAfter(world, 1_000)).toBe(2);
      expect(new Set(names(world)).size).toBe(1);
      expect(await triesAfter(world, 60_000)).toBe(2);
    });

    test('are owed for as long as nobody may', async () => {
      const world = aWorld();
      world.management.on('create events', refusedWith(403), 3);
      await writeEvents(world.env, subject, [fact]);
      for (const tries of [2, 3, 4, 4]) expect(await triesAfter(world, 30_000)).toBe(tries);
      expect(world.said).toEqual(['Event was refused', 'Event was refused', 'Event was refused']);
    });

    test.each<[string, (world: World) => void, typeof subject]>([
      ['of a step that is over', () => undefined, aSubject({ checkpoint: { seq: 2 } })],
      ['of a Machine that is gone', ({ env }) => env.cache.rememberGone('uid-1'), subject],
    ])('are not tried again %s', async (_which, before, of) => {
      const world = await refusedOnce();
      before(world);
      expect(await triesAfter(world, 60_000, of)).toBe(1);
    });

    test('are another matter than those that the API does not take', async () => {
      expect(await triesAfter(await refusedOnce(404), 60_000)).toBe(1);
    });
  });

  test('that a mistake of ours keeps from being written do not hide it', async () => {
    const world = aWorld();
    world.management.on('create events', () => {
      throw new TypeError('undefined is not a function');
    });
    await expect(writeEvents(world.env, subject, [fact])).rejects.toThrow(TypeError);
  });
});
