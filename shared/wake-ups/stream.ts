import type { ChangeType, Kubernetes, Resource } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Clock, Stopwatch } from '../time/clock.ts';
import type { Watching } from './watch.ts';

/** What is called at the end of a wait. */
export interface Waking {
  /** Called when what is watched for has happened, or when only a look can tell whether it has. */
  wake: () => void;
  /** Called instead where that is because an API has forgotten what has changed since the last look. */
  wakeToList?: () => void;
}

/** Where a stream comes from. */
export interface Source {
  kubernetes: Pick<Kubernetes, 'watch'>;
  /** Called with each object that has gone, whether or not that wakes. */
  gone?: ((resource: Resource, object: KubeObject) => void) | undefined;
}

const latest = '';
const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 10_000;
/** More objects than a Node has Pods. */
const maxHeard = 500;

/** A watch that shows the end of one wait, and then of the next one. Each watch is a request. */
export class Stream {
  readonly #source: Source;
  readonly #clock: Clock;
  readonly age: Stopwatch;
  /** What was heard last of each object, by UID: a wait may begin after that. */
  readonly #heard = new Map<string, { type: ChangeType; object: KubeObject }>();
  #watching: Watching;
  /** Up to this version the wait knows all. A stream that was opened for it begins after that. */
  #known = latest;
  #waking: Waking | undefined;
  #pauseMilliseconds = firstPauseMilliseconds;
  #stop: () => void = () => undefined;
  #soon: { milliseconds: number; cancel: () => void } | undefined;

  constructor(source: Source, clock: Clock, watching: Watching, waking: Waking) {
    this.#source = source;
    this.#clock = clock;
    this.age = clock.stopwatch();
    this.#watching = watching;
    this.#waking = waking;
    this.#open(watching.resourceVersion);
  }

  /** The stream has ended, or is full: the next wait opens another. */
  isOver = false;

  /** Nothing is waited for. What is heard meanwhile counts for the next wait. */
  rest(): void {
    this.#soon?.cancel();
    this.#soon = undefined;
    this.#waking = undefined;
  }

  /** Watches for the end of another wait in the same collection. What was heard since that wait was decided may end it. */
  take(watching: Watching, waking: Waking): void {
    this.rest();
    this.#watching = watching;
    this.#known = watching.resourceVersion;
    this.#waking = waking;
    const heard = [...this.#heard.values()];
    // Each counts once: the wait after this one is decided on a later look.
    this.#heard.clear();
    for (const { type, object } of heard) this.#judge(type, object);
  }

  close(): void {
    this.rest();
    this.isOver = true;
    this.#stop();
  }

  #open(resourceVersion: string): void {
    const { resource, selection } = this.#watching;
    this.#stop = this.#source.kubernetes.watch(resource, selection, resourceVersion, {
      changed: (type, object) => this.#changed(type, object),
      ended: (expired) => this.#ended(expired, resourceVersion),
    });
  }

  #changed(type: ChangeType, object: KubeObject): void {
    this.#heard.set(object.metadata.uid ?? '', { type, object });
    if (this.#heard.size > maxHeard) this.isOver = true;
    if (type === 'DELETED') this.#source.gone?.(this.#watching.resource, object);
    this.#judge(type, object);
  }

  #judge(type: ChangeType, object: KubeObject): void {
    const waking = this.#waking;
    // The version of what is gone may be that of its last change.
    if (waking === undefined || (type !== 'DELETED' && isKnown(object, this.#known))) return;
    const ended = this.#watching.hasEnded(type, object);
    if (typeof ended === 'number') this.#wakeWithin(ended, waking);
    else if (ended) waking.wake();
  }

  /** A shorter pause that has begun goes on, unless the next one is as short. */
  #wakeWithin(milliseconds: number, { wake }: Waking): void {
    if (this.#soon !== undefined && this.#soon.milliseconds < milliseconds) return;
    this.#soon?.cancel();
    this.#soon = { milliseconds, cancel: this.#clock.after(milliseconds, wake) };
  }

  /**
   * A stream that ends goes on from where the wait began: one cut connection must not cost the whole wait. The pause before
   * grows: an API may end each stream at once.
   */
  #ended(expired: boolean, from: string): void {
    const isWaiting = this.#waking !== undefined;
    // A watch from the latest version begins with the object. A look would find the same old version again.
    if (isWaiting && expired && this.#watching.isOfOneObject && from !== latest) this.#open(latest);
    else if (!isWaiting || expired) this.#giveUp();
    else this.#goOn(from);
  }

  #goOn(from: string): void {
    this.#stop = this.#clock.after(this.#pauseMilliseconds, () => {
      // No other stream shows what went while a stream from the latest version was closed.
      if (this.#waking === undefined || from === latest) this.#giveUp();
      else this.#open(this.#watching.resourceVersion);
    });
    this.#pauseMilliseconds = Math.min(2 * this.#pauseMilliseconds, longestPauseMilliseconds);
  }

  /** Only a look can tell what has changed since. */
  #giveUp(): void {
    this.isOver = true;
    const { wake, wakeToList = wake } = this.#waking ?? {};
    wakeToList?.();
  }
}

/** Whether the wait was decided on this version or a later one. Versions that are no numbers do not tell. */
const isKnown = ({ metadata }: KubeObject, known: string): boolean =>
  known !== latest && Number(metadata.resourceVersion) <= Number(known);
