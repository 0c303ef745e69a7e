import type { Archive } from '../../../shared/store/clue.ts';
import type { Clock, Stopwatch } from '../../../shared/time/clock.ts';
import type { Records } from '../../page/look/records.ts';
import { askWays, whyNot } from './ask-ways.ts';
import type { Way } from './way.ts';

/** Where no way leads to a store, none is tried again for so long. */
const restMilliseconds = 30_000;

/** The records of deletions, by the first way that leads to a store. That store is kept while it answers. */
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
  const asked = await askWays(ways, ({ archive }) => read(archive, uid), closing);
  if ('answer' in asked) return { archive: asked.archive, records: asked.answer };
  const unread = asked.lacking.map(({ way, why }) => `not read: history, by ${way}: ${why}`);
  return { records: { ...none, unread } };
}

async function readOrWhy(archive: Archive, uid: string): Promise<Found> {
  try {
    return { archive, records: await read(archive, uid) };
  } catch (error) {
    return { records: { ...none, unread: [`not read: history: ${whyNot(error)}`] } };
  }
}

async function read(archive: Archive, uid: string): Promise<Records> {
  const [history, pods] = await Promise.all([archive.history(uid), archive.podRecords(uid)]);
  return { history, pods, unread: [] };
}
