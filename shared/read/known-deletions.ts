import type { DeleteOutcome } from '../kubernetes/client.ts';

/** What became of the deletes of one look, and what was learnt from them for later ones. */
export class KnownDeletions {
  readonly #outcomes = new Map<string, DeleteOutcome>();
  readonly #replaced: Set<string>;

  /** `before`: of an earlier start of the same step. */
  constructor(before?: KnownDeletions) {
    this.#replaced = new Set(before === undefined ? [] : before.#replaced);
  }

  /** `place`: what an object has in common with another one of its name. */
  record(place: string, uid: string, outcome: DeleteOutcome): void {
    this.#outcomes.set(uid, outcome);
    if (outcome.kind === 'replaced') this.#replaced.add(place);
  }

  of(uid: string): DeleteOutcome | undefined {
    return this.#outcomes.get(uid);
  }

  haveFoundAnother(place: string): boolean {
    return this.#replaced.has(place);
  }
}
