import * as z from 'zod';
import type { Resource, Selection } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { WatchedApi } from '../eventing/follow-changes.ts';

/** What the user sees of a Machine. A new one has no phase and no Node. */
export interface SeenMachine {
  resource: Resource;
  namespace: string;
  name: string;
  uid: string;
  isDeleting: boolean;
  phase?: string;
  node?: string;
}

interface SeenListener {
  /** The Machine is new or has changed. `before`: as it was seen last. */
  seen?(machine: SeenMachine, before: SeenMachine | undefined): void;
  /** No object of this UID is left. */
  gone(uid: string): void;
}

/** The Machines as the sources see them. It costs no request of its own. */
export interface SeenMachines {
  has(uid: string): boolean;
  list(): SeenMachine[];
  /** Throws Unavailable if a source cannot get its list. */
  mustBeListed(): void;
  listen(listener: SeenListener): void;
}

/** The Machines of one list and its watches, by UID. */
type Place = Map<string, SeenMachine>;

/** The API for the sources, with an ear on their lists and watches of Machines. */
export function noticingMachines(api: WatchedApi): { api: WatchedApi; machines: SeenMachines } {
  const noticing = new Noticing();
  return {
    machines: noticing,
    api: {
      async list(resource, selection, hold) {
        const place = keyOf(resource, selection);
        try {
          const list = await api.list(resource, selection, hold);
          noticing.listed(place, resource, list.items);
          return list;
        } catch (error) {
          noticing.failed(place, error);
          throw error;
        }
      },
      watch(resource, selection, resourceVersion, listener) {
        const place = keyOf(resource, selection);
        return api.watch(resource, selection, resourceVersion, {
          changed(type, object) {
            if (type === 'DELETED') noticing.deleted(place, object.metadata.uid ?? '');
            else noticing.changed(place, seenIn(resource, object));
            listener.changed(type, object);
          },
          ended: (expired) => listener.ended(expired),
        });
      },
    },
  };
}

const keyOf = (resource: Resource, selection: Selection = {}): string =>
  JSON.stringify([resource, selection]);

class Noticing implements SeenMachines {
  readonly #places = new Map<string, Place>();
  readonly #failures = new Map<string, Unavailable>();
  readonly #listeners: SeenListener[] = [];

  has(uid: string): boolean {
    return [...this.#places.values()].some((place) => place.has(uid));
  }

  list(): SeenMachine[] {
    return [...this.#places.values()].flatMap((place) => [...place.values()]);
  }

  mustBeListed(): void {
    const [failure] = this.#failures.values();
    if (failure !== undefined) throw failure;
  }

  listen(listener: SeenListener): void {
    this.#listeners.push(listener);
  }

  failed(key: string, error: unknown): void {
    if (!this.#places.has(key) && error instanceof Unavailable) this.#failures.set(key, error);
  }

  /** What the list does not have any more is gone. No watch tells of it. */
  listed(key: string, resource: Resource, items: readonly KubeObject[]): void {
    this.#failures.delete(key);
    const before = this.#placeOf(key);
    const now = new Set(items.map(({ metadata }) => metadata.uid ?? ''));
    for (const uid of before.keys()) if (!now.has(uid)) this.deleted(key, uid);
    for (const item of items) this.changed(key, seenIn(resource, item));
  }

  changed(key: string, machine: SeenMachine): void {
    const place = this.#placeOf(key);
    const before = place.get(machine.uid);
    place.set(machine.uid, machine);
    for (const listener of this.#listeners) listener.seen?.(machine, before);
  }

  deleted(key: string, uid: string): void {
    this.#placeOf(key).delete(uid);
    for (const listener of this.#listeners) listener.gone(uid);
  }

  #placeOf(key: string): Place {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place: Place = new Map();
    this.#places.set(key, place);
    return place;
  }
}

const shownSchema = z.object({
  status: z.object({
    phase: z.string().optional().catch(undefined),
    nodeRef: z.object({ name: z.string() }).optional().catch(undefined),
  }),
});

function seenIn(resource: Resource, machine: KubeObject): SeenMachine {
  const { namespace = '', name, uid = '', deletionTimestamp } = machine.metadata;
  const { phase, nodeRef } = shownSchema.safeParse(machine).data?.status ?? {};
  return {
    resource,
    namespace,
    name,
    uid,
    isDeleting: deletionTimestamp !== undefined,
    ...(phase !== undefined && { phase }),
    ...(nodeRef !== undefined && { node: nodeRef.name }),
  };
}
