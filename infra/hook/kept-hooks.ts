import type { Kubernetes, Selection } from '../../shared/kubernetes/client.ts';
import { unreadIn } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Clock, Stopwatch } from '../../shared/time/clock.ts';
import { deletionHooksOf } from './list-hooks.ts';

interface KeptHooksOptions {
  kubernetes: Pick<Kubernetes, 'discover' | 'list'>;
  selection: Selection;
  clock: Pick<Clock, 'stopwatch'>;
}

/** A view that is drawn every second lists them no more often than this. */
const restMilliseconds = 30_000;

/** DeletionHooks as they were listed last, for a view of many Machines. Until a list answers again the last one stands. */
export class KeptHooks {
  readonly #options: KeptHooksOptions;
  #known: readonly KubeObject[] = [];
  #age: Stopwatch | undefined;
  #listing: Promise<void> | undefined;
  /** Why they are not known, a sentence each. */
  unread: readonly string[] = [];

  constructor(options: KeptHooksOptions) {
    this.#options = options;
  }

  get known(): readonly KubeObject[] {
    return this.#known;
  }

  /** Lists them where one of these Machines is being deleted and the last list is old. One list serves all who wait. */
  refresh(machines: readonly KubeObject[]): Promise<void> {
    const isWanted = machines.some(({ metadata }) => metadata.deletionTimestamp !== undefined);
    const isOld = this.#age === undefined || this.#age() >= restMilliseconds;
    if (isWanted && isOld) this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
    return this.#listing ?? Promise.resolve();
  }

  async #list(): Promise<void> {
    const { kubernetes, selection, clock } = this.#options;
    this.#age = clock.stopwatch();
    try {
      this.#known = await deletionHooksOf(kubernetes, selection);
      this.unread = [];
    } catch (error) {
      this.unread = [unreadIn(error)?.message ?? `not read: DeletionHooks: ${wordsOf(error)}`];
    }
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
