import type { ChangeType, Kubernetes, WatchListener } from '../kubernetes/client.ts';
import { isFinished, type Pod } from '../kubernetes/objects.ts';
import { pods } from '../kubernetes/resources.ts';

type Watch = Kubernetes['watch'];
type WatchingApi = Pick<Kubernetes, 'watch'>;

/** So many Nodes have a watch each. One more, and all that follow share one. */
const mostAlone = 3;
/** Pods that have gone lately: a Node may join after that. A fleet loses so many in a minute, each a few hundred bytes here. */
const mostKept = 5_000;
/** Where a cluster has so many changes for each that a Node waits for, watches of single Nodes are cheaper. */
const strangersForEach = 10;
const leastStrangers = 2_000;

interface Joined {
  nodeName: string;
  listener: WatchListener;
}

/**
 * Watches of the Pods of single Nodes in one workload cluster. Where many are wanted at once, one watch of all Pods serves them.
 * Each watch is a request and a connection. It may be lost like any other.
 */
class SharedPods implements WatchingApi {
  readonly #api: WatchingApi;
  readonly #joined = new Set<Joined>();
  #alone = 0;
  #shared: SharedWatch | undefined;
  #isBusy = false;

  constructor(api: WatchingApi) {
    this.#api = api;
  }

  readonly watch: Watch = (resource, selection, resourceVersion, listener) => {
    const nodeName = /^spec\.nodeName=(.+)$/.exec(selection.fieldSelector ?? '')?.[1];
    const isOfNode = resource.plural === pods.plural && resource.group === '' && nodeName !== undefined;
    if (!isOfNode || selection.namespace !== undefined)
      return this.#api.watch(resource, selection, resourceVersion, listener);
    if (this.#mayShare(resourceVersion)) return this.#join({ nodeName, listener }, resourceVersion);
    this.#alone += 1;
    let isOpen = true;
    const end = (): void => {
      if (isOpen) this.#alone -= 1;
      isOpen = false;
    };
    const stop = this.#api.watch(resource, selection, resourceVersion, {
      changed: (type, object) => listener.changed(type, object),
      ended(expired) {
        end();
        listener.ended(expired);
      },
    });
    return () => {
      end();
      stop();
    };
  };

  #mayShare(resourceVersion: string): boolean {
    if (this.#isBusy || !Number.isFinite(Number.parseInt(resourceVersion, 10))) return false;
    return this.#shared === undefined
      ? this.#alone >= mostAlone
      : this.#shared.reachesBackTo(Number(resourceVersion));
  }

  #join(joined: Joined, resourceVersion: string): () => void {
    this.#joined.add(joined);
    const known = this.#shared;
    if (known === undefined) this.#shared = this.#open(resourceVersion);
    else queueMicrotask(() => known.repeat((type, pod) => this.#tell(joined, type, pod)));
    return () => {
      if (!this.#joined.delete(joined) || this.#joined.size > 0) return;
      this.#shared?.stop();
      this.#shared = undefined;
    };
  }

  #open(resourceVersion: string): SharedWatch {
    const shared = new SharedWatch(Number(resourceVersion));
    shared.stop = this.#api.watch(pods, {}, resourceVersion, {
      changed: (type, object) => {
        shared.hear(type, object);
        const { spec } = object as Pod;
        const wanting = [...this.#joined].filter(({ nodeName }) => nodeName === spec?.nodeName);
        for (const joined of wanting) this.#tell(joined, type, object);
        if (!shared.isWorthIt(wanting.length > 0)) this.#giveUp();
      },
      ended: (expired) => this.#end(expired),
    });
    return shared;
  }

  #tell(joined: Joined, type: ChangeType, pod: Pod): void {
    if (this.#joined.has(joined) && pod.spec?.nodeName === joined.nodeName)
      joined.listener.changed(type, pod);
  }

  #giveUp(): void {
    this.#isBusy = true;
    this.#shared?.stop();
    this.#end(false);
  }

  #end(expired: boolean): void {
    this.#shared = undefined;
    const all = [...this.#joined];
    this.#joined.clear();
    for (const { listener } of all) listener.ended(expired);
  }
}

/** The watches of each workload cluster, while it has the same connection. */
export function sharingPods(): (api: WatchingApi) => WatchingApi {
  const known = new WeakMap<WatchingApi, SharedPods>();
  return (api) => {
    const shared = known.get(api) ?? new SharedPods(api);
    known.set(api, shared);
    return shared;
  };
}

/** What the end of a wait goes by. */
const heldOf = ({ metadata: { namespace, name, uid, resourceVersion }, spec, status }: Pod): Pod => ({
  metadata: {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  },
  spec: { ...(spec?.nodeName !== undefined && { nodeName: spec.nodeName }) },
  status: { ...(status?.phase !== undefined && { phase: status.phase }) },
});

/** One watch of all Pods, and which of them have gone lately. */
class SharedWatch {
  stop: () => void = () => undefined;
  readonly #gone: { version: number; type: ChangeType; pod: Pod }[] = [];
  /** After this version nothing is missing. */
  #from: number;
  #reached: number;
  #strangers = 0;
  #wanted = 0;

  constructor(from: number) {
    this.#from = from;
    this.#reached = from;
  }

  reachesBackTo(version: number): boolean {
    return version >= this.#from;
  }

  hear(type: ChangeType, pod: Pod): void {
    // The version of what is gone may be that of its last change.
    this.#reached = Math.max(this.#reached, Number(pod.metadata.resourceVersion) || 0);
    if (type !== 'DELETED' && !isFinished(pod)) return;
    this.#gone.push({ version: this.#reached, type, pod: heldOf(pod) });
    if (this.#gone.length > mostKept) this.#from = this.#gone.shift()?.version ?? this.#reached;
  }

  /** A wait goes by UIDs: what had gone before it was decided ends nothing. */
  repeat(tell: (type: ChangeType, pod: Pod) => void): void {
    for (const { type, pod } of this.#gone) tell(type, pod);
  }

  isWorthIt(isWanted: boolean): boolean {
    if (isWanted) this.#wanted += 1;
    else this.#strangers += 1;
    return this.#strangers <= leastStrangers + strangersForEach * this.#wanted;
  }
}
