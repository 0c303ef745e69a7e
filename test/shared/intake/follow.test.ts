import { beforeEach, describe, expect, test } from 'vitest';
import { ended, intake } from '../../../functions/intake.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { beside, ourHook } from '../../builders/beside.ts';
import { aCheckpoint, aRawMachine, aRawV1Beta1Machine, timeAfter } from '../../builders/cluster-api.ts';
import { atCheckpoint, aWorld, type World } from '../../builders/world.ts';

let world: World;
let version = 100;
beforeEach(() => {
  world = aWorld();
  world.env.dialects = [beside()];
});

const released = { ...aCheckpoint({ phase: 'hand-over', seq: 4 }), released: timeAfter(9) };

/** The Machine as its own controller has left it. */
function shows(reason: string, annotations: Record<string, string> = atCheckpoint(released)): KubeObject {
  version += 1;
  const conditions = [{ type: 'Deleting', status: 'True', reason, message: `it is in ${reason}` }];
  const { metadata, ...rest } = aRawMachine({ annotations, status: { conditions } });
  return { ...rest, metadata: { ...metadata, resourceVersion: String(version) } };
}

const hear = async (object: KubeObject) => (await intake(world.env, object)).facts;
const history = async () =>
  (await world.env.store.history('uid-1')).map(({ phase, what }) => `${phase} ${what}`);

describe('a deletion that was handed over', () => {
  test('is told as its own controller goes on, each stage once, until the Machine is gone', async () => {
    const reasons = [
      'WaitingForPreDrainHook',
      'WaitingForInfrastructureDeletion',
      'WaitingForInfrastructureDeletion',
      'WaitingForBootstrapDeletion',
      'DeletingNode',
    ];
    const told = [];
    for (const reason of reasons) told.push(...(await hear(shows(reason))));
    expect(told.map((fact) => [fact.kind, fact.phase])).toEqual([
      ['advanced', 'pre-drain'],
      ['advanced', 'infrastructure'],
      ['advanced', 'bootstrap'],
      ['advanced', 'node'],
    ]);
    expect(await ended(world.env, shows('DeletingNode'))).toMatchObject([
      { kind: 'completed', phase: 'finalize', seq: 4 },
    ]);
    expect(await history()).toEqual([
      'pre-drain advanced',
      'infrastructure advanced',
      'bootstrap advanced',
      'node advanced',
      'finalize completed',
    ]);
  });

  test('is told as Cluster API 1.8 goes on, by its conditions of v1beta1', async () => {
    const { metadata, ...rest } = aRawV1Beta1Machine({ annotations: atCheckpoint(released) });
    const type = 'PreTerminateDeleteHookSucceeded';
    const conditions = [{ type, status: 'True', lastTransitionTime: timeAfter(20) }];
    const facts = await hear({ ...rest, metadata, status: { conditions } });
    expect(facts.map(({ kind, phase }) => [kind, phase])).toEqual([['advanced', 'infrastructure']]);
  });

  test('costs no request, and writes nothing on the Machine', async () => {
    await hear(shows('WaitingForInfrastructureDeletion'));
    await ended(world.env, shows('DeletingNode'));
    expect(world.management.reads).toEqual([]);
    expect(world.log).toEqual(['history advanced', 'history completed']);
  });

  test('is over once, however often its end is told', async () => {
    await ended(world.env, shows('DeletingNode'));
    expect(await ended(world.env, shows('DeletingNode'))).toEqual([]);
    expect(await hear(shows('DeletingNode'))).toEqual([]);
  });

  test('is ours again where its end was told falsely, and our hook is put back', async () => {
    await ended(world.env, shows('DeletingNode'));
    const back = shows('WaitingForPreDrainHook', atCheckpoint(released, { [ourHook]: 'phaseout.dev' }));
    expect((await intake(world.env, back)).next).toMatchObject({ phase: 'hand-over', seq: 4 });
  });

  test('goes back in what is told where its own controller does', async () => {
    await hear(shows('WaitingForInfrastructureDeletion'));
    expect(await hear(shows('DrainingNode'))).toMatchObject([
      {
        kind: 'advanced',
        from: 'infrastructure',
        phase: 'drain',
        as: 'returned',
        message: 'it is in DrainingNode',
        isFollowed: true,
      },
    ]);
  });

  test('says nothing where the Machine shows nothing that is known', async () => {
    expect(await hear(shows('Elsewhere'))).toEqual([]);
  });
});

describe('a deletion that began before our hook was on the Machine', () => {
  test('is left to its own controller, and that is told once', async () => {
    const [late, stage] = await hear(shows('DrainingNode', {}));
    const message =
      'its deletion began before the hook pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout was on it: its own controller drains it';
    expect(late).toMatchObject({ kind: 'hook-late', message });
    expect(stage).toMatchObject({ kind: 'advanced', phase: 'drain' });
    expect(world.log).toEqual([expect.stringContaining('create events/'), 'history advanced']);
    expect(await hear(shows('DrainingNode', {}))).toEqual([]);
  });

  test.each<[what: string, annotations: Record<string, string>]>([
    ['had it, and somebody has taken it off', { 'phaseout.dev/registered': '1' }],
    ['was released by a user', { 'phaseout.dev/released': '' }],
    ['is in a drain of ours, without the hook', atCheckpoint(aCheckpoint({ phase: 'drain' }))],
  ])('is not told of one that %s', async (_what, annotations) => {
    expect(await hear(shows('DrainingNode', annotations))).toEqual([]);
    expect(world.log).toEqual([]);
  });
});

test('a deletion that our hook holds is ours: it is taken up', async () => {
  const held = shows('WaitingForPreDrainHook', { [ourHook]: 'phaseout.dev' });
  const { next, facts } = await intake(world.env, held);
  expect(next).toMatchObject({ phase: 'drain', seq: 0 });
  expect(facts).toEqual([]);
});

test('in place of the controller of the API nothing is followed', async () => {
  const { env } = aWorld();
  expect(await ended(env, shows('DeletingNode'))).toEqual([]);
});
