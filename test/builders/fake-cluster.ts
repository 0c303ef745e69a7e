import { applyPatch } from 'rfc6902';
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
} from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';

/** Kinds that can be discovered, by `group/Kind`. */
const served: Record<string, Resource> = {
  'cluster.x-k8s.io/Machine': { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' },
  'cluster.x-k8s.io/MachineDrainRule': {
    group: 'cluster.x-k8s.io',
    version: 'v1beta2',
    plural: 'machinedrainrules',
  },
  'infra.example/Server': { group: 'infra.example', version: 'v1', plural: 'servers' },
  'infra.example/Pool': { group: 'infra.example', version: 'v1', plural: 'pools' },
  'other.example/Server': { group: 'other.example', version: 'v1', plural: 'others' },
  'boot.example/Config': { group: 'boot.example', version: 'v1', plural: 'configs' },
  'cp.example/ControlPlane': { group: 'cp.example', version: 'v1', plural: 'controlplanes' },
};

/** Served where there is one. */
const ownKinds: Readonly<Record<string, Resource>> = {
  DeletionHook: { group: 'phaseout.dev', version: 'v1alpha1', plural: 'deletionhooks' },
  DrainPolicy: { group: 'phaseout.dev', version: 'v1alpha1', plural: 'drainpolicies' },
};

interface Interruption {
  times: number;
  call: string;
  run: () => WriteOutcome | void;
}

/**
 * What steps use of one API server: versions, UID and resourceVersion preconditions, the status subresource,
 * finalizers. The given log gets the writes in their order.
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
    const version = String(this.#next());
    const metadata = { uid: `uid-${version}`, resourceVersion: version, ...object.metadata };
    const stored = { ...object, metadata };
    this.#objects.set(path, stored);
    return stored;
  }

  /** Somebody else's change. */
  change(path: string, patch: object): void {
    const object = this.at(path);
    if (object === undefined) throw new Error(`${path} is not there`);
    this.#store(path, patched(object, patch));
  }

  drop(path: string): void {
    this.#objects.delete(path);
  }

  at(path: string): KubeObject | undefined {
    return structuredClone(this.#objects.get(path));
  }

  /** What a call (for example `patch machines/default/m-1`) does instead, or first if it gives nothing back. */
  on(call: string, run: () => WriteOutcome | void, times = 1): void {
    this.#interruptions.push({ times, call, run });
  }

  async get(resource: Resource, key: Key): Promise<KubeObject | undefined> {
    const path = pathOf(resource.plural, key);
    this.reads.push(`get ${path}`);
    this.#interrupted(`get ${path}`);
    return this.at(path);
  }

  async list(
    resource: Resource,
    selection: Selection = {},
    hold: (object: KubeObject) => KubeObject | undefined = (object) => object,
  ): Promise<ObjectList> {
    this.reads.push(`list ${resource.plural}`);
    this.#interrupted(`list ${resource.plural}`);
    const prefix = `${resource.plural}/${selection.namespace === undefined ? '' : `${selection.namespace}/`}`;
    const found = [...this.#objects].filter(([path]) => path.startsWith(prefix)).map(([, object]) => object);
    const { labelSelector, fieldSelector } = selection;
    const selected = found.filter(
      (object) => isSelected(object, labelSelector) && isOnSelectedNode(object, fieldSelector),
    );
    const items = selected.map(hold).filter((object) => object !== undefined);
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
    if (instead !== undefined) return instead;
    const object = this.at(path);
    if (object === undefined) return { kind: 'gone' };
    const { metadata = {}, ...rest }: { metadata?: Record<string, unknown> } = patch;
    if (metadata['name'] !== undefined && metadata['name'] !== key.name)
      return misnamed(metadata['name'], key.name);
    for (const field of ['uid', 'resourceVersion']) {
      const wanted = metadata[field];
      if (wanted !== undefined && wanted !== object.metadata[field])
        return conflict(`${field}: the object has been modified`);
    }
    const { resourceVersion: _, ...others } = metadata;
    const change = subresource === undefined ? { ...rest, metadata: others } : onlyStatus(rest);
    return { kind: 'written', object: this.#store(path, patched(object, change)) };
  }

  async jsonPatch(
    resource: Resource,
    key: Key,
    operations: JsonPatchOperation[],
    subresource?: 'status',
  ): Promise<WriteOutcome> {
    const path = pathOf(resource.plural, key);
    const call = `json-patch ${path}${subresource === undefined ? '' : '/status'}`;
    this.#log.push(call);
    this.patches.push({ path: call.slice('json-patch '.length), patch: operations });
    const instead = this.#interrupted(call);
    if (instead !== undefined) return instead;
    const object = this.at(path);
    if (object === undefined) return { kind: 'gone' };
    const flaw = flawOf(object, operations);
    if (flaw !== undefined) return conflict(flaw);
    return { kind: 'written', object: this.#store(path, object) };
  }

  async create(resource: Resource, object: KubeObject): Promise<WriteOutcome> {
    const path = pathOf(resource.plural, object.metadata);
    this.#log.push(`create ${path}`);
    const instead = this.#interrupted(`create ${resource.plural}`);
    if (instead !== undefined) return instead;
    const { namespace } = object.metadata;
    if (namespace !== undefined && namespace !== 'default') {
      return { kind: 'refused', code: 404, message: `namespaces "${namespace}" not found` };
    }
    if (this.#objects.has(path))
      return conflict(`${resource.plural} "${object.metadata.name}" already exists`);
    return { kind: 'written', object: this.put(resource.plural, object) };
  }

  async delete(resource: Resource, key: Key, uid: string): Promise<DeleteOutcome> {
    const path = pathOf(resource.plural, key);
    this.#log.push(`delete ${path}`);
    this.#interrupted(`delete ${path}`);
    const object = this.at(path);
    if (object === undefined) return { kind: 'gone' };
    if (object.metadata.uid !== uid) return { kind: 'replaced' };
    this.#store(path, patched(object, { metadata: { deletionTimestamp: '2026-01-01T12:00:10Z' } }));
    const left = this.at(path);
    return left === undefined ? { kind: 'gone' } : { kind: 'deleting', object: left };
  }

  async evict({ pod }: Eviction): Promise<EvictionAnswer> {
    const path = pathOf('pods', pod.metadata);
    this.#log.push(`evict ${path}`);
    this.#interrupted(`evict ${path}`);
    const object = this.at(path);
    if (object === undefined) return { kind: 'gone' };
    if (object.metadata.uid !== pod.metadata.uid) return { kind: 'replaced' };
    // Running Pods take their time to stop; the list keeps showing them as terminating.
    this.#objects.set(path, patched(object, { metadata: { deletionTimestamp: '2026-01-01T12:00:40Z' } }));
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
    const own = ownKinds[kind];
    if (own !== undefined) return this.#serves(own) ? own : undefined;
    return served[`${group}/${kind}`];
  }

  #serves({ plural }: Resource): boolean {
    return [...this.#objects.keys()].some((path) => path.startsWith(`${plural}/`));
  }

  /** The object as the API leaves it: gone when it is being deleted and nothing holds it any more. */
  #store(path: string, object: KubeObject): KubeObject {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#next()) } };
    const { deletionTimestamp, finalizers = [] } = stored.metadata;
    if (deletionTimestamp !== undefined && finalizers.length === 0) this.#objects.delete(path);
    else this.#objects.set(path, stored);
    return structuredClone(stored);
  }

  #interrupted(call: string): WriteOutcome | undefined {
    const found = this.#interruptions.find((each) => each.call === call);
    if (found === undefined) return undefined;
    found.times -= 1;
    this.#interruptions = this.#interruptions.filter(({ times }) => times > 0);
    return found.run() ?? undefined;
  }

  #next(): number {
    this.#version += 1;
    return this.#version;
  }
}

const onlyStatus = ({ status }: { status?: unknown }): object => ({ status });

const conflict = (message: string): WriteOutcome => ({ kind: 'conflict', message });

const misnamed = (name: unknown, path: string): WriteOutcome => ({
  kind: 'refused',
  code: 400,
  message: `the name of the object (${String(name)}) does not match the name on the URL (${path})`,
});

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

/** Of field selectors only what selects the Pods of a Node. */
const isOnSelectedNode = (object: KubeObject, selector = ''): boolean => {
  if (!selector.startsWith('spec.nodeName=')) return true;
  const nodeName: unknown = isRecord(object['spec']) ? object['spec']['nodeName'] : undefined;
  return selector === `spec.nodeName=${String(nodeName)}`;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON merge patch: null takes a field away. */
function merged(target: unknown, patch: object): Record<string, unknown> {
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isRecord(value) ? merged(result[key], value) : value;
  }
  return result;
}

const patched = (object: KubeObject, patch: object): KubeObject => ({ ...object, ...merged(object, patch) });

/** Tests, and removals from lists: what takes a finalizer off. */
/** Why an operation does not apply; undefined where all do. */
const flawOf = (object: KubeObject, operations: JsonPatchOperation[]): string | undefined =>
  applyPatch(object, operations).find((error) => error !== null)?.message;
