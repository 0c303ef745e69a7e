import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Archive } from '../../../shared/store/clue.ts';
import { StoreUnavailable } from '../../../shared/store/port.ts';
import type { Clock, Stopwatch } from '../../../shared/time/clock.ts';
import type { Records } from '../../page/look/records.ts';
import { whyUnread } from '../../page/look/why-unread.ts';
import { NotOpen, type Way } from '../history/way.ts';

/** Where no way leads to a store, none is tried again for so long. */
const restMilliseconds = 30_000;

/** What is remembered of deletions, by the first way that leads to a store; that one is kept while it answers. */
export function recordsBy(
  ways: readonly Way[],
  clock: Pick<Clock, 'stopwatch'>,
  closing: AsyncDisposableStack,
): (machineUid: string) => Promise<Records> {
  let kept: Archive | undefined;
  let resting: { age: Stopwatch; unread: string[] } | undefined;
  return async (uid) => {
    if (kept === undefined && resting !== undefined && resting.age() < restMilliseconds)
      return { ...none, unread: resting.unread };
    const found =
      kept === undefined ? await firstThatAnswers(ways, uid, closing) : await readOrWhy(kept, uid);
    kept = found.archive;
    resting = kept === undefined ? { age: clock.stopwatch(), unread: [...found.records.unread] } : undefined;
    return found.records;
  };
}

const none: Records = { history: [], pods: [], unread: [] };

interface Found {
  /** Absent where it does not answer. */
  archive?: Archive | undefined;
  records: Records;
}

async function firstThatAnswers(
  ways: readonly Way[],
  uid: string,
  closing: AsyncDisposableStack,
): Promise<Found> {
  const unread: string[] = [];
  for (const way of ways) {
    const trying = new AsyncDisposableStack();
    try {
      const { archive } = await way.open(trying);
      const records = await read(archive, uid);
      closing.defer(() => trying.disposeAsync());
      return { archive, records };
    } catch (error) {
      await trying.disposeAsync();
      unread.push(reasonOf(`history, by ${way.name}`, error));
    }
  }
  return { records: { ...none, unread } };
}

async function readOrWhy(archive: Archive, uid: string): Promise<Found> {
  try {
    return { archive, records: await read(archive, uid) };
  } catch (error) {
    return { records: { ...none, unread: [reasonOf('history', error)] } };
  }
}

async function read(archive: Archive, uid: string): Promise<Records> {
  const [history, pods] = await Promise.all([archive.history(uid), archive.podRecords(uid)]);
  return { history, pods, unread: [] };
}

/** Throws what is no failure of a store. */
function reasonOf(what: string, error: unknown): string {
  const isExpected = [NotOpen, Unavailable, StoreUnavailable].some((kind) => error instanceof kind);
  if (!isExpected) throw error;
  return whyUnread(what, error);
}
