import { describe, expect, test } from 'vitest';
import type { Observer } from '../../observer.ts';
import { createRandom } from '../../random.ts';
import { simulate } from '../../simulate.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { World } from '../../world.ts';
import { wordsOf } from '../api/request-fault.ts';
import { smallWorld } from '../small-world.ts';
import { crashes } from './crashes.ts';

interface Seen {
  /** `instance-1 dies before delete nodes node-1 in blue`. */
  deaths: string[];
  /** What servers were asked, by whom, in the same words, in their order with the deaths. */
  all: string[];
}

async function play(name: string, seed: number): Promise<Seen> {
  const seen: Seen = { deaths: [], all: [] };
  const watch = (): Observer => ({
    said(_who, what) {
      seen.all.push(what);
      if (what.includes(' dies ')) seen.deaths.push(what);
    },
    after: (exchange) => void seen.all.push(`${exchange.instance} asks ${wordsOf(exchange)}`),
    provider: ({ instance, operation }, answer) => {
      if (answer !== undefined) seen.all.push(`${instance} asks provider ${operation}`);
    },
  });
  const faults = crashes.filter((crash) => crash.name === name);
  await simulate(seed, { faults, always: true, invariants: [], scenario: smallWorld, observers: [watch] });
  return seen;
}

/** What the one that died there asked from then on. */
function askedSince(death: string, { all }: Seen): string[] {
  const [instance = ''] = death.split(' ');
  const since = all.slice(all.indexOf(death) + 1);
  return since
    .filter((line) => line.startsWith(`${instance} asks `))
    .map((line) => line.slice(`${instance} asks `.length));
}

const someDeaths = async (name: string): Promise<{ wanted: string; asked: string[] }[]> => {
  const plays = await Promise.all([1, 2, 3].map((seed) => play(name, seed)));
  return plays.flatMap((seen) =>
    seen.deaths.map((death) => ({
      wanted: death.split(/ dies (?:before|after) /)[1] ?? '',
      asked: askedSince(death, seen),
    })),
  );
};

describe('an instance that dies', () => {
  test.each(['crash-before-effect', 'crash-before-record'])(
    'by %s does not do it, and nothing else',
    async (name) => {
      const deaths = await someDeaths(name);
      expect(deaths).not.toEqual([]);
      for (const { asked } of deaths) expect(asked).toEqual([]);
    },
  );

  test.each(['crash-after-effect', 'crash-after-record'])(
    'by %s has done it, and does nothing else',
    async (name) => {
      const deaths = await someDeaths(name);
      expect(deaths).not.toEqual([]);
      for (const { wanted, asked } of deaths) expect(asked).toEqual([wanted]);
    },
  );
});

const aDelete: Omit<Exchange, 'instance'> = {
  host: 'blue',
  method: 'DELETE',
  verb: 'delete',
  resource: 'nodes',
  namespace: '',
  name: 'node-1',
  path: '',
  query: {},
  body: {},
};

test('an instance that is asked to end is let alone, and another one dies in its place', () => {
  const random = createRandom(1);
  const parts = { workloads: ['blue'], instances: 0, config: {}, latencyMilliseconds: 1 };
  const world = new World({ ...parts, random });
  const [leaving, staying] = [world.startInstance(), world.startInstance()];
  const fault = crashes.find(({ name }) => name === 'crash-after-effect');
  fault?.strike({ world, scenario: smallWorld(random), random, lasts: 1 });
  world.retire(leaving);
  for (const { name } of [leaving, staying])
    for (let time = 0; time < 100; time += 1) world.meddlers.request({ ...aDelete, instance: name });
  expect([leaving.strand.isDead, staying.strand.isDead]).toEqual([false, true]);
  world.end();
});
