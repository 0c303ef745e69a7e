import type { ObjectList, Resource, WriteOutcome } from '../../kubernetes/client.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Clock, Stopwatch } from '../../time/clock.ts';

/** A cluster that was restored from a backup goes on at an older version, and is believed again after this time. */
const rememberedMilliseconds = 60_000;

interface Seen {
  version: number;
  age: Stopwatch;
}

/**
 * The newest version of each resource that one API server has shown. Its lists are asked for as of now; one that is older
 * than what was seen before it was asked for comes from a server that has fallen behind, and what is missing from it would
 * pass for gone. Versions of one resource may be compared (KEP-5504, since Kubernetes 1.35; etcd's have always been so);
 * what is no number is not.
 */
export class NewestSeen {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  object(resource: Resource, object: KubeObject | undefined): KubeObject | undefined {
    if (object !== undefined) this.#note(resource, object.metadata.resourceVersion);
    return object;
  }

  written(resource: Resource, outcome: WriteOutcome): WriteOutcome {
    if (outcome.kind === 'written') this.object(resource, outcome.object);
    return outcome;
  }

  /** The list, which is asked for once more when it is too old. Throws Unavailable when it is so again. */
  async list(resource: Resource, read: () => Promise<ObjectList>): Promise<ObjectList> {
    const least = this.#newest(resource);
    const first = await read();
    const list = isOlder(first, least) ? await read() : first;
    if (isOlder(list, least)) throw new Unavailable(tooOld(resource, list, least));
    this.#note(resource, list.resourceVersion);
    return list;
  }

  #newest(resource: Resource): number {
    const seen = this.#seen.get(nameOf(resource));
    return seen === undefined || seen.age() > rememberedMilliseconds ? 0 : seen.version;
  }

  #note(resource: Resource, text: string | undefined): void {
    const version = versionOf(text);
    if (version === undefined || version < this.#newest(resource)) return;
    this.#seen.set(nameOf(resource), { version, age: this.#clock.stopwatch() });
  }
}

const nameOf = ({ group, plural }: Resource): string => `${plural}.${group}`;

const versionOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : undefined;

const isOlder = ({ resourceVersion }: ObjectList, least: number): boolean =>
  (versionOf(resourceVersion) ?? Infinity) < least;

const tooOld = ({ plural }: Resource, { resourceVersion }: ObjectList, least: number): string =>
  `the list of ${plural} is of version ${resourceVersion}, and ${least} was seen before: the API server has fallen behind`;
