import type { Clock } from '../../shared/time/clock.ts';
import type { OwnHeap } from './own-heap.ts';

/** A stream for text, and what is known of its terminal. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  /** May be 0 on some terminals. */
  columns?: number;
  rows?: number;
}

/** All that a command has to do with the world around it. */
export interface Outside {
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** The current directory. */
  folder: string;
  clock: Clock;
  random: () => number;
  /** Aborted when the user or the system wants us to end. */
  interrupted: AbortSignal;
  /** Started by kubectl, as `kubectl phaseout`: what is not said otherwise is about its cluster. */
  isPlugin?: boolean;
  /** Left as it is where the process is another's. */
  heap?: OwnHeap;
}
