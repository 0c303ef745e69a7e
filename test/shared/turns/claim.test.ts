import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { volumeDetach } from '../../../functions/volume-detach.ts';
import { rememberOwnWrite } from '../../../shared/cache/cache.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { nodes } from '../../../shared/kubernetes/resources.ts';
import type { Conclusion, Decision } from '../../../shared/phase/decision.ts';
import { definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import type { Environment, StepResult } from '../../../shared/runtime/environment.ts';
import type { Store } from '../../../shared/store/port.ts';
import { aCheckpoint, after, aRawMachine } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { withoutClaims } from '../../builders/without-claims.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const begun = aCheckpoint({ seq: 1, phase: 'drain' });
const { machine } = aCommand();
const report = { reason: 'DrainingNode', message: 'said' } as const;
const waits: Conclusion & { kind: 'wait' } = { kind: 'wait', until: [], report, requeueAfterSeconds: 60 };
const advances: Conclusion = { kind: 'advance', passing: 'done', message: 'nothing is left' };

function draining(): World {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
  world.workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  return world;
}

/** A phase that looks at the Node while something happens. */
const phaseOf = (decision: Decision, meanwhile: () => Promise<unknown> = async () => undefined) =>
  definePhase<unknown>({
    name: 'drain',
    async observe(snapshot) {
      await meanwhile();
      return snapshot.get('workload', nodes, { name: 'node-1' });
    },
    decide: () => decision,
    onUnavailable: () => waits,
  });

/** What a step of an instance comes to, and what another is answered that wants one meanwhile. */
async function meeting(
  world: World,
  decision: Decision,
  asks: (other: Environment) => Promise<unknown>,
): Promise<{ result: StepResult; answer: unknown }> {
  let answer: unknown;
  const phase = phaseOf(decision, async () => {
    answer ??= await asks(world.another());
  });
  const result = await reconcilePhase(world.env, phase, aCommand());
  return { result, answer };
}

/** Somebody else writes the Machine; its version by then. */
function written(world: World): string {
  world.management.change(machinePath, { metadata: { labels: { news: 'yes' } } });
  return versionOf(world);
}

const versionOf = ({ management }: World): string =>
  management.at(machinePath)?.metadata.resourceVersion ?? '';

const evictions = ({ log }: World) => log.filter((line) => line.startsWith('evict'));
const dueBy = ({ env }: World, seconds: number) => env.store.due(after(seconds), 10);

const bothDrain = (world: World) =>
  Promise.all(
    [world.env, world.another()].map((env) => reconcilePhase(env, drain, aCommand({ resourceVersion: '7' }))),
  );

describe('two instances at one step', () => {
  test('evict each Pod once', async () => {
    const world = draining();
    const results = await bothDrain(world);
    expect(evictions(world)).toEqual(['evict pods/ns/a']);
    expect(results.map(({ facts }) => facts.length)).toEqual([2, 0]);
  });

  test('without claims evict each twice, which is what claims are for', async () => {
    const world = draining();
    world.env.store = withoutClaims(world.env.store);
    const [one, other] = [world.env, { ...world.another(), store: world.env.store }];
    await Promise.all([one, other].map((env) => reconcilePhase(env, drain, aCommand())));
    expect(evictions(world)).toEqual(['evict pods/ns/a', 'evict pods/ns/a']);
  });

  test('who comes too late does nothing, keeps no wake-ups, and takes nothing it has read for known', async () => {
    const world = draining();
    const other = world.another();
    const { answer } = await meeting(world, waits, () => reconcilePhase(other, phaseOf(waits), aCommand()));
    expect(answer).toEqual({ facts: [] });
    expect(world.kept).toHaveLength(1);
    expect(other.cache.machine('uid-1')).toBeUndefined();
  });

  test('of one name are one instance: its own step, whose end was lost, keeps it from nothing', async () => {
    const world = draining();
    await world.env.store.claim({ machine, by: 'test', at: after(10), until: after(40) });
    await reconcilePhase(world.env, drain, aCommand());
    expect(evictions(world)).toHaveLength(1);
  });

  test('the other one goes on once the claim of one that died is over', async () => {
    const world = draining();
    await world.env.store.claim({ machine, by: 'dead', at: after(10), until: after(40) });
    for (const [seconds, times] of [
      [39, 0],
      [40, 1],
    ] as const) {
      world.time.now = after(seconds);
      await reconcilePhase(world.env, drain, aCommand());
      expect(evictions(world)).toHaveLength(times);
    }
  });

  test('a command is taken that came as the step before ended, although it names a version that this one has written', async () => {
    const world = draining();
    const { store } = world.env;
    let times = 0;
    world.env.store = {
      ...store,
      async claim(asked) {
        times += 1;
        return times === 1 ? { kind: 'held' } : store.claim(asked);
      },
      hear: async () => 'echo',
    };
    await reconcilePhase(world.env, drain, aCommand({ resourceVersion: '7' }));
    expect(evictions(world)).toHaveLength(1);
  });

  test('a command that came during a repeat of an older step is asked for again, whoever wrote the version that it names', async () => {
    const further = aCheckpoint({ seq: 2, phase: 'volume-detach' });
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(further) }));
    const next = aCommand({ phase: 'volume-detach', seq: 2, resourceVersion: versionOf(world) });
    rememberOwnWrite(world.env.cache, world.management.at(machinePath) ?? aRawMachine());
    const other = world.another();
    const met = Promise.withResolvers<StepResult>();
    let reads = 0;
    world.management.on(`get ${machinePath}`, () => {
      reads += 1;
      if (reads === 1) met.resolve(reconcilePhase(other, volumeDetach, next));
    });
    const repeat = reconcilePhase(world.env, drain, aCommand({ seq: 1 }));
    expect(await met.promise).toEqual({ facts: [] });
    expect((await repeat).next).toMatchObject({ phase: 'volume-detach', seq: 2 });
  });

  test('that the claim is asked for each time in vain is a failure: the command comes again', async () => {
    const world = draining();
    world.env.store = { ...world.env.store, claim: async () => ({ kind: 'held' }), hear: async () => 'free' };
    await expect(reconcilePhase(world.env, drain, aCommand())).rejects.toThrow(Unavailable);
    expect(evictions(world)).toEqual([]);
  });

  test('who asks in the moment in which the other ends has it then', async () => {
    const world = draining();
    const { store } = world.env;
    let times = 0;
    const claim: Store['claim'] = (claimed) =>
      (times += 1) === 1 ? Promise.resolve({ kind: 'held' }) : store.claim(claimed);
    world.env.store = { ...store, claim };
    await reconcilePhase(world.env, drain, aCommand());
    expect(evictions(world)).toHaveLength(1);
  });
});

describe('what is heard during a step', () => {
  test('is looked at as soon as it ends, in the version that was heard', async () => {
    const world = draining();
    let resourceVersion = '';
    const { result } = await meeting(world, waits, (other) => {
      resourceVersion = '9999';
      return other.store.hear('uid-1', resourceVersion);
    });
    expect(result.next).toEqual(aCommand({ resourceVersion }));
  });

  test('of what the step itself has seen or written is no news', async () => {
    const world = draining();
    const { result } = await meeting(world, waits, (other) => other.store.hear('uid-1', versionOf(world)));
    expect(result).not.toHaveProperty('next');
    const heard: unknown[] = [];
    for (const version of [versionOf(world), String(Number(versionOf(world)) + 1)])
      heard.push(await world.another().store.hear('uid-1', version));
    expect(heard).toEqual(['echo', 'free']);
  });

  test('and that it met on its way is no news either', async () => {
    const world = draining();
    const { result } = await meeting(world, waits, (other) => other.store.hear('uid-1', written(world)));
    expect(result).not.toHaveProperty('next');
  });

  test('has the next step read the Machine, where there is one anyway', async () => {
    const world = draining();
    const { result } = await meeting(world, advances, (other) => other.store.hear('uid-1', '9999'));
    expect(result.next).toEqual(aCommand({ phase: 'volume-detach', seq: 2, resourceVersion: '9999' }));
  });

  test('where another lost its watch: who waits goes on watching, and looks no more than that', async () => {
    const world = draining();
    const other = world.another();
    await reconcilePhase(other, phaseOf(waits), aCommand());
    const version = versionOf(world);
    const { result } = await meeting(world, waits, () =>
      reconcilePhase(other, phaseOf(waits), aCommand({ resourceVersion: version })),
    );
    expect(result).toEqual({ facts: [] });
    expect(world.kept).toHaveLength(2);
  });

  test('where another has the answer of a function: who waits looks once more, since no version shows that', async () => {
    const world = draining();
    const answer = { ...aCommand({ resourceVersion: versionOf(world) }), isAnswer: true } as const;
    const { result } = await meeting(world, waits, (other) => reconcilePhase(other, phaseOf(waits), answer));
    expect(result.next).toEqual(aCommand());
  });

  test('where another lost its watch to a step that is passed over is looked at', async () => {
    const world = draining();
    const other = world.another();
    other.cache.rememberMachine(world.management.at(machinePath)!);
    const get = world.management.get.bind(world.management);
    world.management.get = async (...asked) => {
      world.management.get = get;
      await reconcilePhase(other, phaseOf(waits), aCommand({ resourceVersion: '7' }));
      return get(...asked);
    };
    const { next } = await reconcilePhase(world.env, phaseOf(waits), aCommand({ seq: 0 }));
    expect(next).toEqual(aCommand({ seq: 1 }));
  });

  test('by a step that fails then is due at once', async () => {
    const world = draining();
    world.management.on(
      `patch ${machinePath}`,
      () => {
        throw new Unavailable('no answer');
      },
      Infinity,
    );
    const phase = phaseOf(advances, () => world.another().store.hear('uid-1', '9999'));
    await expect(reconcilePhase(world.env, phase, aCommand())).rejects.toThrow('no answer');
    expect(await dueBy(world, 10)).toMatchObject([{ at: after(10), isOfDeletion: true }]);
  });
});

describe('what is due after a step', () => {
  test('that only repeats an older one is what was due before', async () => {
    const world = draining();
    const look = { machine, at: after(50), failures: 0, isOfDeletion: true };
    await world.env.store.schedule(look);
    await reconcilePhase(world.env, phaseOf(waits), aCommand({ seq: 0 }));
    expect(await dueBy(world, 100)).toEqual([look]);
  });

  test('that hands its command on to where the Machine stands is what was due before', async () => {
    const world = draining();
    const look = { machine, at: after(50), failures: 0, isOfDeletion: true };
    await world.env.store.schedule(look);
    const asked = aCommand({ phase: 'volume-detach' });
    const phase = definePhase({
      ...phaseOf(waits),
      name: 'volume-detach',
      observe: async () => undefined,
      decide: () => waits,
      onUnavailable: () => waits,
    });
    expect((await reconcilePhase(world.env, phase, asked)).next).toMatchObject({ phase: 'drain' });
    expect(await dueBy(world, 100)).toEqual([look]);
  });

  test('that hands on to the next phase is there in case that its command is lost, whatever was due before', async () => {
    const world = draining();
    await world.env.store.schedule({ machine, at: after(180), failures: 0, isOfDeletion: true });
    await reconcilePhase(world.env, phaseOf(advances), aCommand());
    expect(await dueBy(world, 200)).toMatchObject([{ at: after(30), isProvisional: true }]);
  });

  test.each<[string, number | undefined, number]>([
    ['what was due before, if that is sooner', 15, 15],
    ['as if its command were lost, if that is sooner', 180, 30],
    ['as if its command were lost, where nothing was due', undefined, 30],
  ])('that failed is %s', async (_, before, due) => {
    const world = draining();
    if (before !== undefined)
      await world.env.store.schedule({ machine, at: after(before), failures: 0, isOfDeletion: true });
    world.management.on(`get ${machinePath}`, () => {
      throw new Unavailable('no answer');
    });
    await expect(reconcilePhase(world.env, phaseOf(waits), aCommand())).rejects.toThrow('no answer');
    expect(await dueBy(world, 200)).toMatchObject([{ at: after(due) }]);
  });

  test('whose claim the store has lost meanwhile is what it waits for all the same', async () => {
    const world = draining();
    await meeting(world, waits, () => world.env.store.unschedule('uid-1'));
    expect(await dueBy(world, 100)).toMatchObject([{ at: after(70), isOfDeletion: true }]);
  });
});

test('a Machine that was read before the step before had ended is read again before anything is done', async () => {
  const world = draining();
  const stale = world.another();
  stale.cache.rememberMachine(world.management.at(machinePath)!);
  await reconcilePhase(world.env, drain, aCommand());
  world.management.reads.length = 0;
  await reconcilePhase(stale, drain, aCommand({ resourceVersion: '7' }));
  expect(world.management.reads).toContain(`get ${machinePath}`);
  expect(evictions(world)).toHaveLength(1);
});
