import type { Requeue, Store } from '../../../shared/store/port.ts';
import type { Clock, Instant, Stopwatch } from '../../../shared/time/clock.ts';
import { askWays, whyNot } from '../history/ask-ways.ts';
import type { Way } from '../history/way.ts';

/** A list that is redrawn every second asks the store no more often than this. */
const restMilliseconds = 10_000;

/** No look is scheduled farther ahead. */
const farMilliseconds = 60 * 60_000;
/** More than anybody reads in a list. */
const most = 1_000;

type Looks = Pick<Store, 'due'>;

/** When Machines are looked at next, as a store had it last: one question for all of them. */
export class NextLooks {
  readonly #clock: Pick<Clock, 'now' | 'stopwatch'>;
  readonly #store: Looks | undefined;
  #times: ReadonlyMap<string, Instant> = new Map();
  #age: Stopwatch;
  /** Why they are not known, a sentence each. */
  unread: readonly string[] = [];

  constructor(store: Looks | undefined, clock: Pick<Clock, 'now' | 'stopwatch'>) {
    this.#store = store;
    this.#clock = clock;
    this.#age = clock.stopwatch();
  }

  /** Undefined where no instance has noted it, or the store was not read. */
  of(machineUid: string): Instant | undefined {
    return this.#times.get(machineUid);
  }

  told(looks: readonly Requeue[]): void {
    // What is due at the end of a claim is for the case that its instance dies.
    const meant = looks.filter(({ isProvisional }) => isProvisional !== true);
    this.#times = new Map(meant.map(({ machine, at }) => [machine.uid, at]));
    this.unread = [];
  }

  /** Asks again where the last answer is old. */
  async refresh(): Promise<void> {
    if (this.#store === undefined || this.#age() < restMilliseconds) return;
    this.#age = this.#clock.stopwatch();
    try {
      this.told(await ask(this.#store, this.#clock));
    } catch (error) {
      this.#times = new Map();
      this.unread = [`${notRead}: ${whyNot(error)}`];
    }
  }
}

/** By the first way that leads to a store. Throws UsageError. */
export async function openNextLooks(
  ways: readonly Way[],
  clock: Pick<Clock, 'now' | 'stopwatch'>,
  closing: AsyncDisposableStack,
): Promise<NextLooks> {
  const asked = await askWays(ways, ({ archive }) => ask(archive, clock), closing);
  const looks = new NextLooks('answer' in asked ? asked.archive : undefined, clock);
  if ('answer' in asked) looks.told(asked.answer);
  else looks.unread = asked.lacking.map(({ way, why }) => `${notRead}, by ${way}: ${why}`);
  return looks;
}

const notRead = 'not read: when Machines are looked at next';

const ask = (store: Looks, clock: Pick<Clock, 'now'>): Promise<Requeue[]> =>
  store.due(clock.now() + farMilliseconds, most);
