import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock, Instant } from '../../../shared/time/clock.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import type { Went } from '../views.ts';
import { whyUnread } from './why-unread.ts';

/** A Machine as it was seen last. */
export interface Seen {
  api: MachineApi;
  machine: KubeObject;
}

/** A Machine that went while it was watched. */
export interface Gone extends Seen {
  went: Went;
}

export interface WatchOptions {
  kubernetes: Pick<Kubernetes, 'list' | 'watch'>;
  machineApis: readonly MachineApi[];
  clock: Clock;
  /** All namespaces where it is missing. */
  namespace?: string | undefined;
  /** This Machine is not as it was; without one, it may be any. */
  changed: (seen?: Seen) => void;
}

const maxGone = 50;
/** After a watch that ended, or a list that failed. */
const againMilliseconds = 2_000;

/** All Machines, by one list and one watch for each Machine API, however many read the page. */
export class MachineWatch {
  readonly #options: WatchOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #unread = new Map<MachineApi, string>();
  /** When each API last said which Machines there are. */
  readonly #heardAt = new Map<MachineApi, Instant>();
  #gone: Gone[] = [];
  #users = 0;
  #running: Running | undefined;
  #listed = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Runs until as many have stopped it as have started it. */
  start(): void {
    this.#users += 1;
    if (this.#running !== undefined) return;
    const running = new Running();
    this.#running = running;
    const lists = this.#options.machineApis.map((api) => this.#read(api, running));
    this.#listed = Promise.all(lists).then(() => undefined);
  }

  /** Resolves when all lists have been asked for since the start. */
  ready(): Promise<void> {
    return this.#listed;
  }

  /** What was seen is kept: the next start corrects it. */
  stop(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#running?.end();
    this.#running = undefined;
  }

  seen(): Seen[] {
    return [...this.#seen.values()];
  }

  /** Newest first. */
  gone(): readonly Gone[] {
    return this.#gone;
  }

  /** What could not be listed, and why. */
  unread(): string[] {
    return [...this.#unread.values()];
  }

  async #read(api: MachineApi, running: Running): Promise<void> {
    const { kubernetes, namespace, clock } = this.#options;
    const asked = clock.now();
    const selection = namespace === undefined ? {} : { namespace };
    try {
      const { items, resourceVersion } = await kubernetes.list(api.resource, selection);
      if (running.isOver) return;
      this.#unread.delete(api);
      this.#take(api, items);
      this.#heardAt.set(api, asked);
      const stop = kubernetes.watch(api.resource, selection, resourceVersion, {
        changed: (type, object) => {
          const now = clock.now();
          this.#heardAt.set(api, now);
          if (type === 'DELETED') this.#deleted(object, { at: now });
          else this.#changed(api, object);
        },
        ended: () => this.#again(api, running),
      });
      running.onEnd(stop);
    } catch (error) {
      this.#unread.set(api, whyUnread(`machines.${api.dialect.group}`, error));
      this.#again(api, running);
    }
    this.#options.changed();
  }

  #again(api: MachineApi, running: Running): void {
    if (running.isOver) return;
    running.onEnd(this.#options.clock.after(againMilliseconds, () => void this.#read(api, running)));
  }

  /** What a list does not have any more is gone, at some time since this API was heard last. */
  #take(api: MachineApi, items: readonly KubeObject[]): void {
    const now = new Set(items.map(({ metadata }) => metadata.uid));
    const after = this.#heardAt.get(api);
    const went = { at: this.#options.clock.now(), ...(after !== undefined && { after }) };
    for (const known of this.seen())
      if (known.api === api && !now.has(known.machine.metadata.uid)) this.#deleted(known.machine, went);
    for (const machine of items) this.#seen.set(machine.metadata.uid ?? '', { api, machine });
  }

  #changed(api: MachineApi, machine: KubeObject): void {
    const seen = { api, machine };
    this.#seen.set(machine.metadata.uid ?? '', seen);
    this.#options.changed(seen);
  }

  #deleted({ metadata: { uid = '' } }: KubeObject, went: Went): void {
    const last = this.#seen.get(uid);
    if (last === undefined) return;
    this.#seen.delete(uid);
    this.#gone = [{ ...last, went }, ...this.#gone].slice(0, maxGone);
    this.#options.changed(last);
  }
}

/** What has to be stopped at the end. */
class Running {
  isOver = false;
  readonly #ends: (() => void)[] = [];

  onEnd(end: () => void): void {
    this.#ends.push(end);
  }

  end(): void {
    this.isOver = true;
    for (const end of this.#ends.splice(0)) end();
  }
}
