import { AsyncLocalStorage } from 'node:async_hooks';

/** The changes that a process asks of others for each request that it serves, until they answer. */
export class Errands {
  readonly #open = new AsyncLocalStorage<Set<{ what: string }>>();

  /** Serves a request; with what was still under way for its sake when that was over. Rejects as `serve` does. */
  async during<T>(serve: () => Promise<T>): Promise<{ answer: T; left: string[] }> {
    const open = new Set<{ what: string }>();
    const answer = await this.#open.run(open, serve);
    return { answer, left: [...open].map(({ what }) => what) };
  }

  /** The very promise that is given. Nothing is noted of what no request has led to. */
  note<T>(what: string, answer: Promise<T>): Promise<T> {
    const open = this.#open.getStore();
    if (open === undefined) return answer;
    const errand = { what };
    const over = (): void => void open.delete(errand);
    open.add(errand);
    answer.then(over, over);
    return answer;
  }
}
