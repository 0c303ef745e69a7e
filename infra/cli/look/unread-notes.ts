import type { Key, Kubernetes, Resource } from '../../../shared/kubernetes/client.ts';
import { Unavailable, Unread, unreadIn } from '../../../shared/kubernetes/errors.ts';
import { isForbidden } from './forbidden.ts';

/** Which failed reads a look goes on without: what the user may not read, or all. */
export type GoesOnWithout = 'forbidden' | 'unavailable';

/** What a look could not read: a sentence each, in the order in which it was asked. */
export class UnreadNotes {
  readonly #goesOnWithout: GoesOnWithout;
  readonly #said = new Set<string>();

  constructor(goesOnWithout: GoesOnWithout) {
    this.#goesOnWithout = goesOnWithout;
  }

  get all(): string[] {
    return [...this.#said];
  }

  /** Before another look, by a process that looks again and again. */
  forget(): void {
    this.#said.clear();
  }

  /** The API whose failed reads are noted. `where`: the name of the cluster, or empty where that is plain. */
  notingReads(kubernetes: Kubernetes, where: string): Kubernetes {
    return {
      ...kubernetes,
      get: (resource, key) =>
        this.noting(() => kubernetes.get(resource, key), within(nameOf(resource, key), where)),
      list: (resource, selection, hold) => {
        const what = within(listOf(resource, selection?.namespace), where);
        return this.noting(() => kubernetes.list(resource, selection, hold), what);
      },
    };
  }

  /** Throws Unread where the look goes on without it. */
  async noting<T>(read: () => Promise<T>, what: string): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Unavailable) || unreadIn(error) !== undefined) throw error;
      const forbidden = isForbidden(error);
      if (forbidden === undefined && this.#goesOnWithout === 'forbidden') throw error;
      const why = forbidden === undefined ? error.statusText : `forbidden for ${forbidden}`;
      const sentence = `not read: ${what}: ${why}`;
      this.#said.add(sentence);
      throw new Unread(sentence, { cause: error });
    }
  }
}

const full = ({ group, plural }: Resource): string => (group === '' ? plural : `${plural}.${group}`);

const nameOf = (resource: Resource, { namespace, name }: Key): string =>
  `${full(resource)} ${namespace === undefined ? name : `${namespace}/${name}`}`;

const listOf = (resource: Resource, namespace: string | undefined): string =>
  namespace === undefined ? full(resource) : `${full(resource)} in namespace ${namespace}`;

const within = (what: string, where: string): string => (where === '' ? what : `${what} in ${where}`);
