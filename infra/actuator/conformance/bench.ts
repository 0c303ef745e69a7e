import type { Clock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Client } from './client.ts';
import type { Machines } from './machines.ts';

/** What a check works with. */
export interface Bench {
  client: Client;
  machines: Machines;
  clock: Clock;
  /** How long a server may take to come or to go. */
  deadlineSeconds: number;
  /** The Machine whose server the checks look at, as it is by now; undefined while it has none. */
  server: KubeObject | undefined;
}

export function pause(clock: Clock, seconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(seconds * 1000, resolve));
}
