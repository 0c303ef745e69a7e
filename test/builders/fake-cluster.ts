import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type {
  DeleteOutcome,
  Eviction,
  EvictionAnswer,
  JsonPatchOperation,
  Key,
  ObjectList,
  Resource,
  Selection,
  WorkloadCluster,
  WriteOutcome,
} from '../../shared/kubernetes/port.ts';

/** Kinds that can be discovered, by `group/Kind`. */
const served: Record<string, Resource> = {
  'cluster.x-k8s.io/Machine': { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' },
  'cluster.x-k8s.io/MachineDrainRule': {
    group: 'cluster.x-k8s.io',
    version: 'v1beta2',
    plural: 'machinedrainrules',
  },
  'infra.example/Server': { group: 'infra.example', version: 'v1', plural: 'servers' },
  'boot.example/Config': { group: 'boot.example', version: 'v1', plural: 'configs' },
  'cp.example/ControlPlane': { group: 'cp.example', version: 'v1', plural: 'controlplanes' },
};

type Interruption = { times: number; call: string; run: () => unknown };

/**
 * One API server as far as steps use it: versions, UID and resourceVersion preconditions, the status subresource,
 * finalizers. Writes are noted in the order in which they come, in the log that it is given.
 */
export class FakeCluster implements WorkloadCluster {
  readonly reads: string[] = [];
  readonly patches: { path: string; patch: object }[] = [];
  readonly #log: string[];
  readonly #objects = new Map<string, KubeObject>();
  #interruptions: Interruption[] = [];
  #version = 1_000;

  constructor(log: string[]) {
    this.#log = log;
  }

  put(plural: string, object: KubeObject): KubeObject {
    const path = pathOf(plural, object.metadata);
    const { resourceVersion = String(this.#next()) } = object.metadata;
    const stored = {
      ...object,
      metadata: { uid: `uid-of-${object.metadata.name}`, ...object.metadata, resourceVersion },
    };
    this.#objects.set(path, stored);
    return stored;
  }

  /** Somebody else's change. */
  change(path: string, patch: object): void {
    this.#store(path, merged(this.at(path), patch));
  }

  drop(path: string): void {
    this.#objects.delete(path);
  }

  at(path: string): KubeObject | undefined {
    return structuredClone(this.#objects.get(path));
  }

  /** What a call (for example `patch machines/default/m-1`) does instead, or first if it gives nothing back. */
  on(call: string, run: () => unknown, times = 1): void {
    this.#interruptions.push({ times, call, run });
  }

  async get(resource: Resource, key: Key): Promise<KubeObject | undefined> {
    const path = pathOf(resource.plural, key);
    this.reads.push(`get ${path}`);
    this.#interrupted(`get ${path}`);
    return this.at(path);
  }

  async list(resource: Resource, selection: Selection = {}): Promise<ObjectList> {
    this.reads.push(`list ${resource.plural}`);
    this.#interrupted(`list ${resource.plural}`);
    const prefix = `${resource.plural}/${selection.namespace === undefined ? '' : `${selection.namespace}/`}`;
    const found = [...this.#objects].filter(([path]) => path.startsWith(prefix)).map(([, object]) => object);
    const items = found.filter((object) => isSelected(object, selection.labelSelector));
    return structuredClone({ items, resourceVersion: String(this.#version) });
  }

  async mergePatch(
    resource: Resource,
    key: Key,
    patch: object,
    subresource?: 'status',
  ): Promise<WriteOutcome> {
    const path = pathOf(resource.plural, key);
    const call = `patch ${path}${subresource === undefined ? '' : '/status'}`;
    this.#log.push(call);
    this.patches.push({ path: call.slice('patch '.length), patch });
    const instead = this.#interrupted(call);
    if (instead !== undefined) return instead as WriteOutcome;
    const object = this.at(path);
    if (object === undefined) return { kind: 'gone' };
    const { metadata = {}, ...rest } = patch as { metadata?: Record<string, unknown> };
    for (const field of ['uid', 'resourceVersion']) {
      const wanted = metadata[field];
      if (wanted !== undefined && wanted !== object.metadata[field]) return conflict(`${field} differs`);
    }
    const { resourceVersion: _, ...others } = metadata;
    const change = subresource === undefined ? { ...rest, metadata: others } : rest;
    return { kind: 'written', object: this.#store(path, merged(object, change)) };
  }

  async jsonPatch(resource: Resource, key: Key, operations: JsonPatchOperation[]): Promise<WriteOutcome> {
    const path = pathOf(resource.plural, key);
    this.#log.push(`json-patch ${path}`);
    this.patches.push({ path, patch: operations });
    const instead = this.#interrupted(`json-patch ${path}`);
    if (instead !== undefined) return instead as WriteOutcome;
    const object = this.at(path);
    if (object === undefined) return { kind: 'gone' };
    for (const operation of operations) {
      if (!applied(object, operation)) return conflict(`test of ${operation.path} failed`);
    }
    return { kind: 'written', object: this.#store(path, object) };
  }

  async create(resource: Resource, object: KubeObject): Promise<WriteOutcome> {
    const path = pathOf(resource.plural, object.metadata);
    this.#log.push(`create ${path}`);
    const instead = this.#interrupted(`create ${resource.plural}`);
    if (instead !== undefined) return instead as WriteOutcome;
    if (this.#objects.has(path))
      return conflict(`${resource.plural} "${object.metadata.name}" already exists`);
    return { kind: 'written', object: this.put(resource.plural, object) };
  }

  async delete(resource: Resource, key: Key, uid: string): Promise<DeleteOutcome> {
    const path = pathOf(resource.plural, key);
    this.#log.push(`delete ${path}`);
    const instead = this.#interrupted(`delete ${path}`);
    if (instead !== undefined) return instead as DeleteOutcome;
    const object = this.at(path);
    if (object === undefined) return { kind: 'gone' };
    if (object.metadata.uid !== uid) return { kind: 'replaced' };
    const marked = merged(object, { metadata: { deletionTimestamp: '2026-01-01T12:00:10Z' } });
    this.#store(path, marked);
    const left = this.at(path);
    return left === undefined ? { kind: 'gone' } : { kind: 'deleting', object: left };
  }

  async evict({ pod }: Eviction): Promise<EvictionAnswer> {
    const path = pathOf('pods', pod.metadata);
    this.#log.push(`evict ${path}`);
    const instead = this.#interrupted(`evict ${path}`);
    if (instead !== undefined) return instead as EvictionAnswer;
    const object = this.at(path);
    if (object === undefined) return { kind: 'gone' };
    if (object.metadata.uid !== pod.metadata.uid) return { kind: 'replaced' };
    // Running Pods take their time to stop; the list keeps showing them as terminating.
    this.#objects.set(path, merged(object, { metadata: { deletionTimestamp: '2026-01-01T12:00:40Z' } }));
    return { kind: 'accepted' };
  }

  async evictAll(evictions: Eviction[]): Promise<ReadonlyMap<string, EvictionAnswer>> {
    const answers = evictions.map(
      async (eviction) => [eviction.pod.metadata.uid ?? '', await this.evict(eviction)] as const,
    );
    return new Map(await Promise.all(answers));
  }

  watch(): () => void {
    throw new Error('steps do not watch');
  }

  async discover(group: string, kind: string): Promise<Resource | undefined> {
    this.#interrupted(`discover ${kind}`);
    return served[`${group}/${kind}`];
  }

  /** The object as the API leaves it: gone when it is being deleted and nothing holds it any more. */
  #store(path: string, object: KubeObject): KubeObject {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#next()) } };
    const { deletionTimestamp, finalizers = [] } = stored.metadata;
    if (deletionTimestamp !== undefined && finalizers.length === 0) this.#objects.delete(path);
    else this.#objects.set(path, stored);
    return structuredClone(stored);
  }

  #interrupted(call: string): unknown {
    const found = this.#interruptions.find((each) => each.call === call);
    if (found === undefined) return undefined;
    found.times -= 1;
    this.#interruptions = this.#interruptions.filter(({ times }) => times > 0);
    return found.run();
  }

  #next(): number {
    this.#version += 1;
    return this.#version;
  }
}

const conflict = (message: string): WriteOutcome => ({ kind: 'conflict', message });

const pathOf = (plural: string, { namespace, name }: Key): string =>
  namespace === undefined ? `${plural}/${name}` : `${plural}/${namespace}/${name}`;

/** Of label selectors only what counts control plane Machines: `key=value` and `key`. */
const isSelected = ({ metadata: { labels = {} } }: KubeObject, selector = ''): boolean =>
  selector
    .split(',')
    .filter((part) => part !== '')
    .every((part) => {
      const [key = '', value] = part.split('=');
      return key in labels && (value === undefined || labels[key] === value);
    });

/** A JSON merge patch, without its nulls. */
function merged(target: unknown, patch: object): KubeObject {
  const result: Record<string, unknown> = { ...(target as object) };
  for (const [key, value] of Object.entries(patch)) {
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
    result[key] = isNested ? merged(result[key] ?? {}, value) : value;
  }
  return result as KubeObject;
}

function applied(object: KubeObject, operation: JsonPatchOperation): boolean {
  const parts = operation.path.split('/').slice(1);
  const last = parts.pop() ?? '';
  const parent = parts.reduce<unknown>((here, part) => (here as Record<string, unknown>)[part], object);
  if (operation.op === 'test') return (parent as Record<string, unknown>)[last] === operation.value;
  (parent as unknown[]).splice(Number(last), 1);
  return true;
}
