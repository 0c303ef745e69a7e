import type { ChangeType, Kubernetes, Resource, Selection } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock, Instant } from '../../../shared/time/clock.ts';
import { pause } from './pause.ts';

/** All that a source needs of an API server. */
export type WatchedApi = Pick<Kubernetes, 'list' | 'watch'>;

export interface Watched {
  api: WatchedApi;
  clock: Clock;
  random: () => number;
  resource: Resource;
  selection: Selection;
  signal: AbortSignal;
  changed: (type: ChangeType, object: KubeObject) => void;
  /** The API server no longer knows the changes since the last one: they are lost. */
  gap: () => void;
}

interface WatchEnd {
  since: string;
  expired: boolean;
}

/** A watch that lasted this long ended normally and is opened again at once. */
const ordinaryMilliseconds = 1000;

/**
 * Tells of the changes from now on, until the signal. What exists already is not told. Neither is what happened in a
 * gap that the API server cannot bridge. Never throws.
 */
export async function followChanges(watched: Watched): Promise<void> {
  const { clock, signal } = watched;
  const backOff = createBackOff(clock, watched.random);
  let since = await currentVersion(watched, backOff);
  while (!signal.aborted) {
    const opened = clock.now();
    const end = await watchOnce(watched, since);
    if (end.expired || clock.now() - opened < ordinaryMilliseconds) await pause(clock, backOff(), signal);
    if (signal.aborted) return;

    since = end.expired ? await currentVersion(watched, backOff) : end.since;
    if (end.expired) watched.gap();
  }
}

/** Lists until it is answered; an empty text if the signal came first. */
async function currentVersion(watched: Watched, backOff: () => number): Promise<string> {
  while (!watched.signal.aborted) {
    try {
      return (await watched.api.list(watched.resource, watched.selection)).resourceVersion;
    } catch {
      // Whatever it was, only another try can tell; the source is not ready until one succeeds.
      await pause(watched.clock, backOff(), watched.signal);
    }
  }
  return '';
}

function watchOnce({ api, resource, selection, signal, changed }: Watched, start: string): Promise<WatchEnd> {
  return new Promise((resolve) => {
    let since = start;
    const stop = api.watch(resource, selection, start, {
      changed(type, object) {
        since = object.metadata.resourceVersion ?? since;
        changed(type, object);
      },
      ended(expired) {
        signal.removeEventListener('abort', abort);
        resolve({ since, expired });
      },
    });
    function abort(): void {
      stop();
      resolve({ since, expired: false });
    }
    signal.addEventListener('abort', abort, { once: true });
  });
}

const firstMilliseconds = 800;
const longestMilliseconds = 30_000;
const quietMilliseconds = 120_000;

/**
 * Pauses that double from 0.8 s to 30 s, each up to twice as long by chance. They start again after 2 quiet minutes.
 */
function createBackOff(clock: Clock, random: () => number): () => number {
  let milliseconds = firstMilliseconds;
  let asked: Instant = clock.now();

  return () => {
    const now = clock.now();
    if (now - asked > quietMilliseconds) milliseconds = firstMilliseconds;
    asked = now;
    const chosen = milliseconds * (1 + random());
    milliseconds = Math.min(milliseconds * 2, longestMilliseconds);
    return chosen;
  };
}
