import type { Clock } from '../../../shared/clock.ts';
import { CouldNotLook, type Kubernetes } from '../../../shared/kubernetes/port.ts';
import type { Target } from '../fleet.ts';

const lookMilliseconds = 500;

interface Looking {
  kubernetes: Kubernetes;
  clock: Clock;
  signal: AbortSignal;
}

/** Resolves true when the API says that the Machine is gone, false when the signal came first. */
export async function untilGone({ api, namespace, name, uid }: Target, looking: Looking): Promise<boolean> {
  const { kubernetes, clock, signal } = looking;
  while (!signal.aborted) {
    try {
      const found = await kubernetes.get(api.resource, { namespace, name });
      if (found?.metadata.uid !== uid) return true;
    } catch (error) {
      // An answer may come yet, and until then nothing is known.
      if (!(error instanceof CouldNotLook)) throw error;
    }
    await pause(lookMilliseconds, clock, signal);
  }
  return false;
}

/** Ends early with the signal. */
export function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
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
