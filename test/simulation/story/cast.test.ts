import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import type { ServerBlueprint } from '../scenario/blueprint.ts';
import { aMachine, emptyDraft } from '../scenario/draw/draft.ts';
import { originalSite } from '../scenario/draw/usual-sites.ts';
import { scenarioOf } from '../scenario/plan.ts';
import type { Plan } from '../scenario/planned.ts';
import { World } from '../world.ts';
import { cast } from './cast.ts';

/** The line of a Machine of v1alpha1 with such a server. */
function lineOf(server: ServerBlueprint): string | undefined {
  const blueprint = { ...emptyDraft(), machines: [aMachine(originalSite, { name: 'old-1', server })] };
  const parts = { workloads: ['blue'], instances: 0, config: {}, latencyMilliseconds: 1 };
  const scenario = scenarioOf({ blueprint, world: parts, calmAt: 1 });
  const world = new World({ ...parts, random: createRandom(1) });
  scenario.build(world);
  const text = cast(world, scenario);
  world.end();
  return text.split('\n').find((line) => line.includes('Machine fleet/old-1'));
}

const others = 'finalizers of others foregroundDeletion';

test.each<[string, ServerBlueprint, string]>([
  ['runs', { state: 'running', hasLeftover: false }, others],
  ['is gone', { state: 'gone', hasLeftover: false }, `without a server; ${others}`],
  [
    'runs beside one of an earlier Machine',
    { state: 'running', hasLeftover: true },
    `beside a server that nobody knows; ${others}`,
  ],
  [
    'is of a Machine that is to be made, beside one of an earlier one',
    { state: 'not made', hasLeftover: true, madeAt: 5 },
    'beside a server that nobody knows; to be made later',
  ],
])('a server that %s', (_what, server, traits) => {
  expect(lineOf(server)).toBe(`  Machine fleet/old-1 (v1alpha1) without a Node; ${traits}`);
});

test('a story tells for which Machines phaseout is not there', () => {
  const ours = aMachine(originalSite, { name: 'old-1' });
  const theirs = aMachine({ ...originalSite, namespace: 'annex' }, { name: 'old-2' });
  const blueprint = { ...emptyDraft(), machines: [ours, theirs] };
  const config = { namespaces: ['fleet'] };
  const world = { workloads: ['blue'], instances: 0, config, latencyMilliseconds: 1 };
  const scenario = scenarioOf({ blueprint, world, calmAt: 1 });
  const built = new World({ ...world, random: createRandom(1) });
  scenario.build(built);
  const text = cast(built, scenario);
  built.end();
  expect(text.split('\n').filter((line) => line.includes('Machine '))).toEqual([
    `  Machine fleet/old-1 (v1alpha1) without a Node; ${others}`,
    `  Machine annex/old-2 (v1alpha1) without a Node; ${others}; phaseout is not there for it`,
  ]);
});

const parts = { workloads: [], instances: 1, config: {}, latencyMilliseconds: 1 };

/** The lines that tell how phaseout runs. */
function habitsWith(changes: Partial<Plan['world']>): string[] {
  const world = { ...parts, ...changes };
  const scenario = scenarioOf({ blueprint: emptyDraft(), world, calmAt: 1 });
  const built = new World({ ...world, random: createRandom(1) });
  const text = cast(built, scenario);
  built.end();
  return text.split('\n').filter((line) => /Services|ticks|configured/.test(line));
}

test.each<[string, Partial<Plan['world']>, string[]]>([
  ['as it is declared', {}, ['  ticks ask for what is due every 5 s, and for everything every 3 min']],
  [
    'otherwise',
    {
      services: 2,
      dueSeconds: 20,
      allMinutes: 1,
      config: { duePingSource: 'fleet/sweep-due', wakeUps: false },
    },
    [
      '  its functions are parted among 2 Services, each with instances of its own',
      '  ticks ask for what is due every 20 s, unless nothing is being deleted, and for everything every 1 min',
      '  configured: PHASEOUT_DUE_PING_SOURCE=fleet/sweep-due PHASEOUT_WAKE_UPS=false',
    ],
  ],
])('a story tells how phaseout runs: %s', (_how, changes, lines) => {
  expect(habitsWith(changes)).toEqual(lines);
});
