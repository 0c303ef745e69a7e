import { describe, expect, test } from 'vitest';
import type { Observer } from '../../observer.ts';
import { simulate } from '../../simulate.ts';
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
