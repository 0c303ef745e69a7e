import type { Advance } from '../machine/messages.ts';
import { versionToReport } from '../store/claim.ts';

/** What was heard of a Machine while a step of it waited for its turn, or was under way. */
export interface Pending {
  /** The resourceVersions so far. */
  readonly versions: readonly string[];
  /** What is heard from now on is for others to see to. */
  close(): void;
}

interface Listening {
  versions: string[];
  asked: Pick<Advance, 'phase' | 'seq'>;
}

/** An event of a Machine that a step is on its way for waits for nothing: the step sees to it. */
export class PendingEvents {
  readonly #byUid = new Map<string, Listening>();

  /** A step is on its way. */
  listen({ machine: { uid }, phase, seq }: Advance): Pending {
    const versions: string[] = [];
    this.#byUid.set(uid, { versions, asked: { phase, seq } });
    return { versions, close: () => void this.#byUid.delete(uid) };
  }

  /** Whether there is a step of the Machine. */
  note(machineUid: string, resourceVersion: string | undefined): boolean {
    return this.#note(this.#byUid.get(machineUid), resourceVersion);
  }

  /** Whether this very step is on its way. An event may have asked for it before that began. */
  noteCommand({ machine, phase, seq, resourceVersion }: Advance): boolean {
    const listening = this.#byUid.get(machine.uid);
    const isThis = listening?.asked.phase === phase && listening.asked.seq === seq;
    return isThis && this.#note(listening, resourceVersion);
  }

  #note(listening: Listening | undefined, resourceVersion: string | undefined): boolean {
    const version = versionToReport(resourceVersion);
    if (listening === undefined || version === undefined) return false;
    if (!listening.versions.includes(version)) listening.versions.push(version);
    return true;
  }
}
