import type { Clock } from '../../shared/time/clock.ts';

/** Why the process ends: a signal or an uncaught error. */
export type End = NodeJS.Signals | Error;

/** Everything outside of the process that it uses. */
export interface Outside {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdout: { write(text: string): unknown; isTTY?: boolean };
  clock: Clock;
  random: () => number;
  /** Of this machine; in a cluster it is the name of the Pod. */
  hostname: string;
  /** Resolves when the process must end. */
  end: Promise<End>;
}
