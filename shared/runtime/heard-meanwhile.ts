import { heardAs } from '../store/news.ts';

/** What was heard of a Machine while a step of it waited for its turn, or was under way. */
export interface Heard {
  /** The resourceVersions so far. */
  readonly versions: readonly string[];
  /** What is heard from now on is for others to see to. */
  close(): void;
}

/** An event of a Machine that a step is on its way for waits for nothing: the step sees to it. */
export class HeardMeanwhile {
  readonly #byUid = new Map<string, string[]>();

  listen(machineUid: string): Heard {
    const versions: string[] = [];
    this.#byUid.set(machineUid, versions);
    return { versions, close: () => void this.#byUid.delete(machineUid) };
  }

  /** Whether there is such a step. */
  note(machineUid: string, resourceVersion: string | undefined): boolean {
    const versions = this.#byUid.get(machineUid);
    const version = heardAs(resourceVersion);
    if (versions === undefined || version === undefined) return false;
    if (!versions.includes(version)) versions.push(version);
    return true;
  }
}
