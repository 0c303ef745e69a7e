import type { Clock } from '../time/clock.ts';
import { Outages } from './circuit-breaker.ts';
import { type ForgivingStore, type Store, StoreUnavailable } from './port.ts';

interface ForgivingOptions {
  clock: Clock;
  /** Takes one line for people to read. */
  say: (line: string) => void;
}

/**
 * The same store, except that a deletion never fails or waits because of it: while it is out of reach, reads
 * answer empty and writes are dropped, and it is not asked at all during a pause that grows from 1 s to 30 s.
 * Other errors than StoreUnavailable are mistakes of ours and pass through.
 */
export function forgivingStore(store: Store, options: ForgivingOptions): ForgivingStore {
  const outages = new Outages(options.clock, options.say);
  const lost = <T>(writes: number, instead: T): T => {
    outages.lost(writes);
    return instead;
  };
  const write = (writes: number, run: () => Promise<void>): Promise<void> =>
    attempt(outages, run, () => lost(writes, undefined));
  const read = <T>(run: () => Promise<T[]>): Promise<T[]> => attempt(outages, run, () => []);

  return {
    isAvailable: () => outages.isOver,
    recordEvictions: (machine, evictions) =>
      write(evictions.length, () => store.recordEvictions(machine, evictions)),
    podRecords: (machineUid) => read(() => store.podRecords(machineUid)),
    schedule: (look) =>
      attempt(
        outages,
        () => store.schedule(look),
        () => lost(1, true),
      ),
    due: (now, limit) => read(() => store.due(now, limit)),
    unschedule: (machineUid, look) => write(1, () => store.unschedule(machineUid, look)),
    claim: (claim) =>
      attempt(
        outages,
        () => store.claim(claim),
        () => lost(1, { kind: 'taken', before: { ours: [], news: [] } }),
      ),
    release: (release) =>
      attempt(
        outages,
        () => store.release(release),
        () => lost(1, { kind: 'released', news: [] }),
      ),
    hear: (machineUid, resourceVersion) =>
      attempt<'noted' | 'echo' | 'free'>(
        outages,
        () => store.hear(machineUid, resourceVersion),
        () => 'free',
      ),
    appendHistory: (machine, entries) => write(entries.length, () => store.appendHistory(machine, entries)),
    history: (machineUid) => read(() => store.history(machineUid)),
  };
}

async function attempt<T>(outages: Outages, run: () => Promise<T>, instead: () => T): Promise<T> {
  const pass = outages.pass();
  if (pass === 'none') return instead();
  try {
    const answer = await run();
    outages.succeeded(pass);
    return answer;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) {
      outages.abandoned(pass);
      throw error;
    }
    outages.failed(pass, error.message);
    return instead();
  }
}
