/** Something that is to happen. Of those at the same time the one with the lower `order` comes first. */
export interface Due {
  at: number;
  order: number;
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** What is to happen, soonest first: a binary heap. */
export class DueQueue<T extends Due> {
  readonly #heap: T[] = [];

  peek(): T | undefined {
    return this.#heap[0];
  }

  push(item: T): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(item);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(item, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = item;
  }

  pop(): T | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    this.#sink(last);
    return first;
  }

  /** From the top, where nothing is, to its place. */
  #sink(item: T): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      let below = left;
      if (right !== undefined && isBefore(right, left)) [child, below] = [child + 1, right];
      if (!isBefore(below, item)) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = item;
  }
}
