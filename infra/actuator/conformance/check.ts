import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { type Clock, pause as pauseFor } from '../../../shared/time/clock.ts';
import { type Outcome, Unmet } from '../../conformance/outcome.ts';
import type { Client } from './client.ts';
import type { Machines } from './machines.ts';
import type { Api } from './templates.ts';

/** One thing that the contract asks of a provider, as a sentence that is true of a good one. */
export interface Check {
  name: string;
  /** The one Machine API it is about, if it is not about all. */
  onlyFor?: Api;
  /** Nothing said means passed. Throws Unmet. */
  run(bench: Bench): Promise<Outcome | void>;
}

type Run = (bench: Bench, server: KubeObject) => Promise<Outcome | void>;

/** A check of the server that the check before has made: without one there is nothing to check. */
export const ofServer = (name: string, run: Run): Check => ({
  name,
  run: async (bench) =>
    bench.server === undefined
      ? { kind: 'skipped', why: 'there is no server to look at' }
      : run(bench, bench.server),
});

/** What a check works with. */
export interface Bench {
  client: Client;
  machines: Machines;
  clock: Clock;
  /** How long a server may take to come or to go; less once it took longer. */
  deadlineSeconds: number;
  /** The Machine whose server the checks look at, as it is by now; undefined while it has none. */
  server: KubeObject | undefined;
}

/** For those that come after one that was too late: the long wait has shown what there was to see. */
const secondsAfterThat = 30;

/** What was expected is not so, though the deadline has passed. */
export function tooLate(bench: Bench, expected: (within: string) => string, answered: string): Unmet {
  const within = `within ${bench.deadlineSeconds} s`;
  bench.deadlineSeconds = Math.min(bench.deadlineSeconds, secondsAfterThat);
  return new Unmet(expected(within), answered);
}

export const pause = (clock: Clock, seconds: number): Promise<void> => pauseFor(clock, seconds * 1000);
