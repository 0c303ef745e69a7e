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
  /** Whether somebody types: absent where that is unknown. */
  stdin?: { isTTY: boolean };
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

/** The functions' own variables: the rest of the environment is for other programs. */
export const ownVariables = (env: Outside['env']): Outside['env'] =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => name.startsWith('PHASEOUT_') || name === 'NODE_NAME'),
  );

/** Somebody sits in front of it: sees what is written, and can press Ctrl-C. */
export const isAttended = ({ stdin, stdout }: Pick<Outside, 'stdin' | 'stdout'>): boolean =>
  stdin?.isTTY === true && stdout.isTTY === true;

/** Resolves when the user or the system wants us to end. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
