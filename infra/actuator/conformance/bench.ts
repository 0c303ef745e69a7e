import type { Clock } from '../../../shared/time/clock.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { Unmet } from './check.ts';
import type { Client } from './client.ts';
import type { Machines } from './machines.ts';

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

export function pause(clock: Clock, seconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(seconds * 1000, resolve));
}
