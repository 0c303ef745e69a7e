import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory that this process has from the system for what it makes. */
export interface OwnHeap {
  /** From now on it stays near what is in use, for a tenth more CPU. V8 takes a multiple of that by itself. */
  keepSmall(): void;
  /** Gives back what is not in use, which an idle process keeps by itself. It takes some 100 ms, and nothing else runs. */
  giveBack(): void;
}

/** V8 reads these at each collection. Flags for its start would do as well, but a package's command gets none. */
const smallHeap = ['--semi-space-growth-factor=1', '--heap-growing-percent=40'] as const;

function giveBack(): void {
  setFlagsFromString('--expose-gc');
  // Less memory is not worth a run: where V8 has no such function nothing is given back.
  const collect: NodeJS.GCFunction | undefined = runInNewContext('globalThis.gc');
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

function keepSmall(): void {
  for (const flag of smallHeap) setFlagsFromString(flag);
  // To load the program took more than to run it.
  giveBack();
}

/** That of V8. */
export const ownHeap: OwnHeap = { keepSmall, giveBack };
