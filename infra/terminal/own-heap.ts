import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory that this process has from the system for what it makes. */
export interface OwnHeap {
  /** From now on it stays near what is in use. V8 takes a multiple of that by itself. */
  keepSmall(): void;
  /** There is work: from now on there is room for what is made and soon dropped. It takes some 50 ms, and nothing else runs. */
  makeRoom(): void;
  /** Gives back what is not in use, which an idle process keeps by itself. It takes some 100 ms, and nothing else runs. */
  giveBack(): void;
}

/** V8 reads these at each collection. Flags for its start would do as well, but a package's command gets none. */
const smallHeap = '--heap-growing-percent=40';
const keptYoung = '--semi-space-growth-factor=1';

/**
 * Bytes for what is made and soon dropped. V8 takes eight times as much by itself. With the least, which is a quarter, what a
 * step makes outlives a collection. That cost a fifth of all CPU, and memory as well.
 */
const youngBytes = 8 * 1024 * 1024;
const objectsBetween = 20_000;
/** Each makes more than a megabyte. */
const mostTries = 100;

/** Lets the space of young objects grow to its size and no further. */
function makeRoom(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  let kept: unknown[] = [];
  for (let tries = 0; youngSpaceBytes() < youngBytes && tries < mostTries; tries += 1)
    // V8 lets it grow where much outlives a collection.
    kept = Array.from({ length: objectsBetween }, (_, index) => [index]);
  kept.length = 0;
  setFlagsFromString(keptYoung);
}

const youngSpaceBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? youngBytes;

function giveBack(): void {
  setFlagsFromString('--expose-gc');
  // Less memory is not worth a run: where V8 has no such function nothing is given back.
  const collect: NodeJS.GCFunction | undefined = runInNewContext('globalThis.gc');
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

function keepSmall(): void {
  setFlagsFromString(smallHeap);
  setFlagsFromString(keptYoung);
  // To load the program took more than to run it.
  giveBack();
}

/** That of V8. */
export const ownHeap: OwnHeap = { keepSmall, makeRoom, giveBack };
