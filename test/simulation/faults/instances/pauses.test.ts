import { expect, test } from 'vitest';
import { createRandom } from '../../random.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { World } from '../../world.ts';
import type { Fault } from '../fault.ts';
import { smallWorld } from '../small-world.ts';
import { pausedInstance, pausedOverAnAnswer } from './pauses.ts';

const look: Omit<Exchange, 'instance'> = {
  host: 'management',
  method: 'GET',
  verb: 'get',
  resource: 'machines.cluster.x-k8s.io',
  namespace: 'fleet',
  name: 'm',
  path: '',
  query: {},
  body: undefined,
};

const write = { ...look, method: 'PATCH', verb: 'patch' };

type Deed = (world: World, instance: string) => void;
const looks: Deed = ({ meddlers }, instance) => void meddlers.request({ ...look, instance });

/** For how long an instance that repeats the deed stood still, in milliseconds, and whether observers see a hit. */
function stoodStill(
  fault: Fault,
  deed: Deed,
  isAskedToEnd = false,
): { milliseconds: number; isTold: boolean } {
  const random = createRandom(1);
  const world = new World({ workloads: ['blue'], instances: 0, config: {}, latencyMilliseconds: 1, random });
  const instance = world.startInstance();
  let isTold = false;
  world.observers.push({ hit: () => void (isTold = true) });
  fault.strike({ world, scenario: smallWorld(random), random, lasts: 1 });
  if (isAskedToEnd) world.retire(instance);
  for (let time = 0; time < 100; time += 1) deed(world, instance.name);
  const milliseconds = instance.strand.stoodStill;
  world.end();
  return { milliseconds, isTold };
}

const storeCall = { isConditional: false, isIndexQuery: false, mayBeStale: false };

test.each<[string, Fault, Deed]>([
  ['has read something', pausedInstance, looks],
  [
    'has written something',
    pausedOverAnAnswer,
    ({ meddlers }, instance) => void meddlers.request({ ...write, instance }),
  ],
  [
    'has asked the provider',
    pausedOverAnAnswer,
    ({ meddlers }, instance) =>
      void meddlers.provider({
        instance,
        operation: 'delete',
        machine: { metadata: { name: 'm' } },
        cluster: undefined,
      }),
  ],
  [
    'has asked the table',
    pausedOverAnAnswer,
    ({ meddlers }, instance) => void meddlers.store({ ...storeCall, instance, name: 'UpdateItem' }),
  ],
])('an instance that %s stands still', (_what, fault, deed) => {
  const { milliseconds, isTold } = stoodStill(fault, deed);
  expect(isTold).toBe(true);
  expect(milliseconds).toBeGreaterThanOrEqual(1_000);
});

test('one that is asked to end is let alone, and nobody is told otherwise', () => {
  expect(stoodStill(pausedInstance, looks, true)).toEqual({ milliseconds: 0, isTold: false });
});

test('what is read is no answer to stand still over', () => {
  expect(stoodStill(pausedOverAnAnswer, looks)).toEqual({ milliseconds: 0, isTold: false });
});
