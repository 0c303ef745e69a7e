import { describe, expect, test } from 'vitest';
import { intake } from '../../../functions/intake.ts';
import type { Decision } from '../../../shared/phase/decision.ts';
import { definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import type { Environment, StepResult } from '../../../shared/runtime/environment.ts';
import { aCheckpoint, after, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const begun = aCheckpoint({ seq: 1, phase: 'drain' });
const { machine } = aCommand();
const report = { reason: 'DrainingNode', message: 'said' } as const;
const waits: Decision = { kind: 'wait', until: [], report, requeueAfterSeconds: 60 };

const aDraining = (): World => aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));

/** A phase in which something happens as it looks. */
const phaseIn = (meanwhile: () => Promise<unknown>) =>
  definePhase<unknown>({
    name: 'drain',
    observe: meanwhile,
    decide: () => waits,
    onUnavailable: () => ({ ...waits, kind: 'wait' }),
  });

/** Somebody else writes the Machine, and this instance hears of it. */
function hears(world: World, env: Environment = world.env): Promise<StepResult> {
  world.management.change(machinePath, { metadata: { labels: { news: 'yes' } } });
  const object = world.management.at(machinePath);
  if (object === undefined) throw new Error('the world has no Machine');
  return intake(env, object);
}

const versionOf = ({ management }: World): string =>
  management.at(machinePath)?.metadata.resourceVersion ?? '';

const heardOf = ({ log }: World): number => log.filter((line) => line === 'hear').length;

describe('an event of a Machine', () => {
  test('is answered while a step is under way here, without a word to the store, and the step looks once more', async () => {
    const world = aDraining();
    const heard = Promise.withResolvers<StepResult>();
    world.env.wakeUps.keep = () => heard.resolve(hears(world));
    const phase = phaseIn(async () => undefined);
    const { next } = await reconcilePhase(world.env, phase, aCommand());
    expect(await heard.promise).toEqual({ facts: [] });
    expect(heardOf(world)).toBe(0);
    expect(next).toMatchObject({ phase: 'drain', resourceVersion: versionOf(world) });
  });

  test('that the step has seen itself asks for nothing', async () => {
    const world = aDraining();
    let times = 0;
    const phase = phaseIn(async () => {
      times += 1;
      if (times === 1) await hears(world);
    });
    expect((await reconcilePhase(world.env, phase, aCommand())).next).toBeUndefined();
    expect(times).toBe(2);
  });

  test('that came while the step waited for its turn is seen by the step', async () => {
    const world = aDraining();
    world.env.cache.rememberMachine(world.management.at(machinePath) ?? aRawMachine());
    world.env.loadLimit = {
      async run(_turn, work) {
        await hears(world);
        return work();
      },
      later: () => undefined,
      room: () => 1,
      arrive: (work) => work(),
    };
    const command = aCommand({ resourceVersion: versionOf(world) });
    const { next } = await reconcilePhase(
      world.env,
      phaseIn(async () => undefined),
      command,
    );
    expect(next).toBeUndefined();
    expect(world.management.reads.filter((read) => read === `get ${machinePath}`)).toHaveLength(1);
  });

  test('of a step that fails is due at once', async () => {
    const world = aDraining();
    const phase = phaseIn(async () => {
      await hears(world);
      throw new TypeError('a defect');
    });
    await expect(reconcilePhase(world.env, phase, aCommand())).rejects.toThrow('a defect');
    expect(await world.env.store.due(world.env.clock.now(), 10)).toMatchObject([
      { machine: { name: 'm-1' } },
    ]);
  });

  test('is told to the instance that takes the step', async () => {
    const world = aDraining();
    const other = world.another();
    await other.store.claim({ machine, by: 'other', at: after(10), until: after(40) });
    world.management.on(`get ${machinePath}`, () => void hears(world));
    expect(
      await reconcilePhase(
        world.env,
        phaseIn(async () => undefined),
        aCommand(),
      ),
    ).toEqual({
      facts: [],
    });
    expect(await other.store.release({ machine, by: 'other', ours: [] })).toMatchObject({
      news: ['-', versionOf(world)],
    });
  });

  test('is for nobody else once the step is over', async () => {
    const world = aDraining();
    await reconcilePhase(
      world.env,
      phaseIn(async () => undefined),
      aCommand(),
    );
    expect((await hears(world)).next).toMatchObject({ phase: 'drain', resourceVersion: versionOf(world) });
  });
});
