import type { Advance } from '../machine/messages.ts';
import type { Environment, Pending, PendingEvents as Port, StepResult } from '../runtime/environment.ts';
import { versionToReport } from '../store/claim.ts';

interface Listening {
  versions: string[];
  asked: Pick<Advance, 'phase' | 'seq'>;
}

/** An event of a Machine that a step is on its way for waits for nothing: the step sees to it. */
export class PendingEvents implements Port {
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

/**
 * Another instance takes the step. It hears what this one has heard; where it came to its end meanwhile somebody looks once
 * more. What was read here was not decided on: its event would be passed over as known.
 */
export async function leftToOwner(
  { store, cache }: Environment,
  command: Advance,
  pending: Pending,
): Promise<StepResult> {
  const { uid } = command.machine;
  cache.forgetMachine(uid);
  pending.close();
  const answers = pending.versions.map(async (resourceVersion) => {
    const isForUs = (await store.hear(uid, resourceVersion)) === 'free';
    return isForUs ? [{ ...command, resourceVersion }] : [];
  });
  const next = (await Promise.all(answers)).flat().at(-1);
  return { facts: [], ...(next && { next }) };
}
