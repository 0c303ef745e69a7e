import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Answer } from '../../../shared/adapters/kubernetes/request.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { apisOf, isClusterApi, machinesIn, type StagedApi } from './apis.ts';
import type { Carried } from './carriage.ts';
import type { ProviderAnswer, ProviderCall, StagedProvider } from './provider.ts';
import { ServerSafety } from './server-safety.ts';
import {
  attachedTo,
  checkpointOf,
  evictedBy,
  isReachable,
  marks,
  mustGo,
  nodeNamed,
  nodeOf,
  orderOf,
  podDeleteProblems,
} from './sights.ts';

export interface SafetyParts {
  cluster: Cluster;
  clock: Clock;
  provider: StagedProvider;
  /** One instance at a time looks at a Machine, so no other one can have evicted a Pod meanwhile. */
  isAlone: () => boolean;
}

/** What a guard rests on may be this old. */
const toleranceMilliseconds = 1_000;

/** Looks at every effect of ours, as it is done, for what must never happen. */
export class Safety {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #isAlone: () => boolean;
  readonly #servers: ServerSafety;
  readonly #problems: string[];
  readonly #evicted = new Set<string>();
  readonly #heldSince = new Map<string, number>();
  readonly #passed = new Map<string, string>();
  /** What is true of a Machine at the moment its finalizer goes is noted while it is still there. */
  readonly #last = new Map<string, KubeObject>();
  /** By UID. */
  readonly #goneAt = new Map<string, number>();

  constructor(parts: SafetyParts, problems: string[]) {
    this.#cluster = parts.cluster;
    this.#clock = parts.clock;
    this.#isAlone = parts.isAlone;
    this.#problems = problems;
    this.#servers = new ServerSafety(parts, {
      passing: (machine, phase) => this.#passing(machine, phase),
      problem: (what) => this.#problem(what),
      hasJustGone: (uid) => this.#clock.now() - (this.#goneAt.get(uid) ?? -Infinity) <= toleranceMilliseconds,
    });
    for (const api of apisOf(parts.cluster))
      parts.cluster.watch(api.machines, ({ object, type }) => {
        this.#note(object, api);
        if (type === 'DELETED') this.#goneAt.set(object.metadata.uid ?? '', this.#clock.now());
      });
  }

  request({ verb, resource, path, body }: Carried, { code }: Answer): void {
    if (code >= 300) return;
    const name = path.split('/').at(-1) ?? '';
    if (resource === 'pods/eviction') this.#afterEviction(path, body);
    if (verb === 'delete') this.#afterDelete(resource, path, body);
    if (resource === 'nodes') this.#servers.afterNode(verb, name);
    const api = apisOf(this.#cluster).find(({ machines }) => machines === resource);
    if (verb === 'patch' && api !== undefined && Array.isArray(body) && takesFinalizer(body))
      this.#afterFinalizer(name, api);
    if (verb === 'delete' || (verb === 'patch' && resource === 'nodes')) this.#whileHeld(name);
  }

  provider(call: ProviderCall, answer: ProviderAnswer | undefined): void {
    this.#servers.afterCall(call, answer);
    if (call.operation === 'delete') this.#whileHeld(call.machine.metadata.name);
  }

  #note(machine: KubeObject, api: StagedApi): void {
    const { uid = '', name } = machine.metadata;
    this.#last.set(name, machine);
    for (const [phase, how] of Object.entries(recordAt(checkpointOf(machine), 'passed')))
      this.#passed.set(`${uid} ${phase}`, textAt(how, 'as') ?? '');
    if (!api.isPaused(machine)) this.#heldSince.delete(uid);
    else if (!this.#heldSince.has(uid)) this.#heldSince.set(uid, this.#clock.now());
  }

  /** A Machine may have a copy in two APIs: one of them is paused then. */
  #whileHeld(name: string): void {
    const copies = this.#machinesOf(name);
    if (copies.length === 0 || !copies.every((machine) => this.#isHeld(machine))) return;
    this.#problem(`${name} was touched while its Machine was paused`);
  }

  #isHeld({ metadata }: KubeObject): boolean {
    const since = this.#heldSince.get(metadata.uid ?? '');
    return since !== undefined && this.#clock.now() - since > toleranceMilliseconds;
  }

  #afterDelete(resource: string, path: string, body: unknown): void {
    if (resource.endsWith('.infrastructure.cluster.x-k8s.io'))
      this.#afterServer(path.split('/').at(-1) ?? '');
    if (resource !== 'pods') return;
    for (const problem of podDeleteProblems(this.#cluster, path, body)) this.#problem(problem);
  }

  #afterEviction(path: string, body: unknown): void {
    const uid = textAt(body, 'deleteOptions', 'preconditions', 'uid') ?? '';
    if (uid === '') this.#problem(`${path} without a UID`);
    const how = `${uid} ${JSON.stringify(recordAt(body, 'deleteOptions')['gracePeriodSeconds'])}`;
    // Without the store two instances may evict in the same moment. The API takes the second request for the end that
    // has begun already. A Pod whose Node falls silent may be given less time than at first.
    if (this.#evicted.has(how) && this.#isAlone()) this.#problem(`${path} evicted twice`);
    this.#evicted.add(how);
    const pod = evictedBy(this.#cluster, path);
    if (pod === undefined) return;
    if (pod.metadata.annotations?.[marks.stays] !== undefined) this.#problem(`${path}: it was to stay`);
    const nodeName = nodeOf(pod);
    this.#whileHeld(nodeName);
    const earlier = mustGo(this.#cluster, nodeName).filter((other) => orderOf(other) < orderOf(pod));
    for (const other of earlier)
      this.#problem(`${pod.metadata.name} evicted while ${other.metadata.name} was on the Node`);
  }

  /** The server may only go after its Pods and its volumes, or for a reason that the checkpoint tells. */
  #afterServer(name: string): void {
    const machine = this.#machineOf(name);
    if (machine === undefined) return this.#problem(`${name} was deleted without its Machine`);
    const nodeName = nodeNamed(machine);
    const [drain, volumes] = [this.#passing(machine, 'drain'), this.#passing(machine, 'volume-detach')];
    if (drain === undefined) this.#problem(`${name} was deleted before the drain`);
    if (volumes === undefined) this.#problem(`${name} was deleted before the volumes were looked at`);
    if (drain === 'done') {
      for (const pod of mustGo(this.#cluster, nodeName))
        this.#problem(`${name} deleted with ${pod.metadata.name} on it`);
    }
    const node = this.#cluster.get('nodes', undefined, nodeName);
    const attached = attachedTo(this.#cluster, nodeName);
    if (volumes === 'done' && node !== undefined && isReachable(node) && attached.length > 0)
      this.#problem(`${name} was deleted with volumes attached: ${attached.join(', ')}`);
  }

  #afterFinalizer(name: string, { machines, finalizer }: StagedApi): void {
    const machine = this.#last.get(name);
    if (machine === undefined) return this.#problem(`a finalizer was taken off nobody's ${name}`);
    const left = this.#cluster.get(machines, machine.metadata.namespace, name)?.metadata.finalizers ?? [];
    if (left.includes(finalizer)) this.#problem(`another finalizer than ours was taken off ${name}`);
    if (isClusterApi(machine)) this.#afterLastObject(name);
    else this.#servers.afterRelease(machine);
    const passing = this.#passing(machine, 'node');
    const node = this.#cluster.get('nodes', undefined, nodeNamed(machine));
    if (node === undefined || passing === 'timed-out' || passing === 'not-applicable') return;
    // It is enough that the Node was deleted: who holds on to it may do so for ever.
    if (node.metadata.deletionTimestamp !== undefined) return;
    const own = recordAt(checkpointOf(machine))['node'] ?? recordAt(machine, 'status', 'nodeRef')['uid'];
    if (own === undefined || own === node.metadata.uid) this.#problem(`${name} let go with its Node left`);
  }

  #afterLastObject(name: string): void {
    for (const resource of this.#cluster.resources()) {
      if (!/\.(infrastructure|bootstrap)\.cluster\.x-k8s\.io$/.test(resource)) continue;
      const owned = this.#cluster.list(resource).filter((object) => object.metadata.name === name);
      if (owned.length > 0) this.#problem(`${name} let go with ${resource} left`);
    }
  }

  /** By the name of the Machine, of its Node or of its objects. */
  #machinesOf(name: string): KubeObject[] {
    return machinesIn(this.#cluster).filter(
      (machine) => machine.metadata.name === name || nodeNamed(machine) === name,
    );
  }

  #machineOf(name: string): KubeObject | undefined {
    return this.#machinesOf(name)[0];
  }

  /** As the checkpoint says, or as it said before somebody took it away. */
  #passing(machine: KubeObject, phase: string): string | undefined {
    const key = `${machine.metadata.uid} ${phase}`;
    return textAt(checkpointOf(machine), 'passed', phase, 'as') ?? this.#passed.get(key);
  }

  #problem(what: string): void {
    this.#problems.push(`unsafe: ${what}`);
  }
}

const takesFinalizer = (patch: readonly unknown[]): boolean =>
  patch.some((each) => textAt(each, 'path')?.startsWith('/metadata/finalizers') === true);
