import type { Key, Kubernetes, Resource } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Clock } from '../../../shared/time/clock.ts';

const lookMilliseconds = 500;

/** An object, and not another one of its name. */
interface ThisObject {
  resource: Resource;
  key: Key;
  uid: string | undefined;
}

interface Looking {
  kubernetes: Pick<Kubernetes, 'get'>;
  clock: Clock;
  signal: AbortSignal;
  /** In the clock's milliseconds; for ever if absent. */
  until?: number;
}

/** Resolves true when the API says that this very object is gone. False when the signal or the end came first. */
export async function untilGone({ resource, key, uid }: ThisObject, looking: Looking): Promise<boolean> {
  const { kubernetes, clock, signal, until = Infinity } = looking;
  while (clock.now() < until && !signal.aborted) {
    try {
      const found = await kubernetes.get(resource, key);
      if (found?.metadata.uid !== uid) return true;
    } catch (error) {
      // A later answer may come; until then the state is unknown.
      if (!(error instanceof Unavailable)) throw error;
    }
    await pause(lookMilliseconds, clock, signal);
  }
  return false;
}

/** Ends early with the signal. */
export function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = clock.after(milliseconds, done);
    function done(): void {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
