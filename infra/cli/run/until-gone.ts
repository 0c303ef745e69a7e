import type { Clock } from '../../../shared/clock.ts';
import { CouldNotLook, type Kubernetes, type Resource } from '../../../shared/kubernetes/port.ts';
import type { Target } from '../targets.ts';

const lookMilliseconds = 500;

interface Looking {
  kubernetes: Kubernetes;
  resource: Resource;
  clock: Clock;
  signal: AbortSignal;
}

/** Resolves true when the API says that the Machine is gone, false when the signal came first. */
export async function untilGone({ namespace, name, uid }: Target, looking: Looking): Promise<boolean> {
  const { kubernetes, resource, clock, signal } = looking;
  while (!signal.aborted) {
    try {
      const found = await kubernetes.get(resource, { namespace, name });
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
