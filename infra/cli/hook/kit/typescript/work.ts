/** A call of phaseout. Fields may be missing where nothing is known. */
export interface Call {
  /** `namespace/name` of the DeletionHook. */
  hook: string;
  place: 'PreDrain' | 'PreTerminate';
  machine: {
    apiVersion: string;
    kind: string;
    namespace: string;
    name: string;
    uid: string;
    providerID?: string;
    /** Those that `send.labels` of the DeletionHook names. */
    labels: Record<string, string>;
  };
  node?: { name: string; uid: string };
  cluster?: string;
  begins: string;
  deadline?: string;
  attempt: number;
  lastMessage?: string;
}

/** What phaseout is told. Only `Done` lets the Machine pass. */
export interface Answer {
  state: 'Done' | 'Working' | 'Failed';
  /** For people, at most 1024 bytes. */
  message?: string;
  /** The next call comes no sooner than after so many whole seconds, from 1 to 3600. */
  retryAfter?: number;
}

/** When the example began, by the UID of the Machine. It is forgotten when the process ends. */
const begun = new Map<string, number>();

/**
 * Begins the work for this Machine, or looks how far it is. Write your own here.
 *
 * It is called until it says Done, and a call may come twice. The process may have been restarted since the last call.
 * So ask the real system each time, and say Done only when that system says so.
 */
export async function work({ machine }: Call): Promise<Answer> {
  // The example moves nothing. In a cluster it must not let a server go.
  if (process.env.KUBERNETES_SERVICE_HOST !== undefined)
    return { state: 'Failed', message: 'my-hook has no work yet: write it in work.ts', retryAfter: 60 };

  const since = begun.get(machine.uid) ?? performance.now();
  begun.set(machine.uid, since);
  const seconds = Math.floor((performance.now() - since) / 1000);
  if (seconds < 2) return { state: 'Working', message: `example: ${seconds} of 2 s are over`, retryAfter: 1 };
  return { state: 'Done', message: 'example: nothing was moved' };
}
