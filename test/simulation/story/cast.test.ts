import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import type { ServerBlueprint } from '../scenario/blueprint.ts';
import { aMachine, emptyDraft } from '../scenario/draw/draft.ts';
import { originalSite } from '../scenario/draw/usual-sites.ts';
import { scenarioOf } from '../scenario/plan.ts';
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
