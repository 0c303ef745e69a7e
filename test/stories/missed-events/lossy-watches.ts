import type { WatchedApi } from '../../../infra/local/eventing/follow-changes.ts';

/** Watches that go silent unnoticed, and whose last version is too old when they are heard of again. */
export class LossyWatches implements WatchedApi {
  readonly #api: WatchedApi;
  readonly #expiries = new Set<() => void>();
  #areSilent = false;

  constructor(api: WatchedApi) {
    this.#api = api;
  }

  list: WatchedApi['list'] = (resource, selection) => this.#api.list(resource, selection);

  /** From now on it sends no change. */
  silence(): void {
    this.#areSilent = true;
  }

  /** Every watch ends with 410: who watches has to list, and never hears of what changed since. */
  expire(): void {
    this.#areSilent = false;
    const expiries = [...this.#expiries];
    for (const expire of expiries) expire();
  }

  readonly watch: WatchedApi['watch'] = (resource, selection, since, listener) => {
    const stop = this.#api.watch(resource, selection, since, {
      changed: (type, object) => {
        if (!this.#areSilent) listener.changed(type, object);
      },
      ended: (expired) => listener.ended(expired),
    });
    const close = (): void => {
      this.#expiries.delete(expire);
      stop();
    };
    const expire = (): void => {
      close();
      listener.ended(true);
    };
    this.#expiries.add(expire);
    return close;
  };
}
