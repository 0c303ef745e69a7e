import type { Advance } from '../machine/messages.ts';
import type { Environment, Pending, PendingEvents as Port, StepResult } from '../runtime/environment.ts';
import { versionToReport } from '../store/claim.ts';

interface Listening {
  versions: string[];
  asked: Pick<Advance, 'phase' | 'seq'>;
}

/** Notes the events of a Machine while a step of it waits or runs. Such an event needs no wait: the step handles it. */
export class PendingEvents implements Port {
  readonly #byUid = new Map<string, Listening>();

  /** A step waits or runs from now on. */
  listen({ machine: { uid }, phase, seq }: Advance): Pending {
    const versions: string[] = [];
    this.#byUid.set(uid, { versions, asked: { phase, seq } });
    return { versions, close: () => void this.#byUid.delete(uid) };
  }

  /** Whether a step of the Machine waits or runs. */
  note(machineUid: string, resourceVersion: string | undefined): boolean {
    return this.#note(this.#byUid.get(machineUid), resourceVersion);
  }

  /** Whether this very step waits or runs. An event may have asked for it earlier. */
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
 * Another instance takes the step, and gets the versions that were heard here. If it has ended meanwhile, one more
 * look follows. What was read here led to no decision, so it is forgotten: its event must not count as known.
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
