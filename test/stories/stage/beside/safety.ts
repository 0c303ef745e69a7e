import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Answer } from '../../../../shared/adapters/kubernetes/request.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import type { Clock } from '../../../../shared/time/clock.ts';
import type { Carried } from '../carriage.ts';
import { resources } from '../fleet.ts';
import { checkpointOf, evictedBy, mustGo, nodeNamed, nodeOf } from '../sights.ts';

/** What a guard rests on may be this old. */
const toleranceMilliseconds = 1_000;

/** It holds the server, whatever the peer minds. */
const lastHook = /^pre-terminate\.delete\.hook\.machine\.cluster\.x-k8s\.io\/phaseout(-\w+)?$/;

const ourHook = /^pre-drain\.delete\.hook\.machine\.cluster\.x-k8s\.io\/phaseout(-\w+)?$/;

/** Looks at what we do beside Cluster API's own controller for what must never happen. */
export class BesideSafety {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #problems: string[];
  /** When a Machine was first seen without a hook of ours, by UID. */
  readonly #offSince = new Map<string, number>();
  readonly #last = new Map<string, KubeObject>();

  /** Whether we work beside the peer, and not in its place. */
  isOn = true;
  /** Servers that somebody else has deleted. */
  readonly deletedByOthers = new Set<string>();

  constructor(cluster: Cluster, clock: Clock, problems: string[]) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#problems = problems;
    cluster.watch(resources.machines, ({ type, object }) => this.#note(type, object));
    cluster.watch(resources.infrastructure, ({ object }) => {
      if (this.isOn && object.metadata.deletionTimestamp !== undefined)
        this.#serverGoes(object.metadata.name);
    });
  }

  request({ verb, resource, path, body }: Carried, { code }: Answer): void {
    if (!this.isOn || code >= 300) return;
    const name = path.split('/').at(-1) ?? '';
    if (resource === 'pods/eviction') this.#afterEviction(path);
    if (resource === 'nodes' && verb === 'patch') this.#mustHold(name, 'was cordoned');
    if (resource === 'nodes' && verb === 'delete') this.#problem(`${name} was deleted by us`);
    if (verb === 'delete' && resource.includes('.cluster.x-k8s.io'))
      this.#problem(`${path} was deleted by us`);
    if (resource === resources.machines && Array.isArray(body)) this.#afterHandOver(name, body);
  }

  #note(type: string, machine: KubeObject): void {
    const { uid = '', name } = machine.metadata;
    const before = this.#last.get(uid);
    if (!this.isOn) return;
    if (type === 'DELETED') return void this.#last.delete(uid);
    this.#last.set(uid, machine);
    const isNew = before !== undefined && hasLastHook(machine) && !hasLastHook(before);
    if (isNew && isGoing(machine)) this.#problem(`${name} got our last hook while it was being deleted`);
    if (!isHeld(machine)) {
      if (!this.#offSince.has(uid)) this.#offSince.set(uid, this.#clock.now());
      return;
    }
    this.#offSince.delete(uid);
    const isDeleting = machine.metadata.deletionTimestamp !== undefined;
    if (isDeleting && before !== undefined && !isHeld(before) && isOurs(machine))
      this.#problem(`${name} got our hook while it was being deleted`);
    if (isReleased(machine)) this.#problem(`${name} has our hook after it was handed over`);
  }

  #afterEviction(path: string): void {
    const pod = evictedBy(this.#cluster, path);
    if (pod !== undefined) this.#mustHold(nodeOf(pod), `lost ${pod.metadata.name}`);
  }

  /** Whatever we do to a Node rests on our hook. */
  #mustHold(nodeName: string, what: string): void {
    const machine = this.#cluster.list(resources.machines).find((each) => nodeNamed(each) === nodeName);
    if (machine === undefined) return this.#problem(`${nodeName} ${what} without its Machine`);
    const since = this.#offSince.get(machine.metadata.uid ?? '');
    if (since !== undefined && this.#clock.now() - since > toleranceMilliseconds)
      this.#problem(`${nodeName} ${what} while no hook of ours was on ${machine.metadata.name}`);
  }

  /** With an exclusion the peer skips what we have not done. Only a time limit or finished Pods are a reason for one. */
  #afterHandOver(name: string, patch: readonly unknown[]): void {
    const machine = this.#cluster.get(resources.machines, 'fleet', name);
    if (machine === undefined) return;
    const passed = recordAt(checkpointOf(machine), 'passed');
    const paths = patch.map((each) => textAt(each, 'path') ?? '');
    const isExcluded = (what: string): boolean => paths.some((path) => path.endsWith(`~1${what}`));
    const left = mustGo(this.#cluster, nodeNamed(machine)).filter(
      (pod) => textAt(pod, 'status', 'phase') !== 'Succeeded',
    );
    if (
      isExcluded('exclude-node-draining') &&
      textAt(passed, 'drain', 'as') !== 'timed-out' &&
      left.length > 0
    )
      this.#problem(`${name} is excluded from its drain with Pods left`);
    if (
      isExcluded('exclude-wait-for-node-volume-detach') &&
      textAt(passed, 'volume-detach', 'as') !== 'timed-out'
    )
      this.#problem(`${name} is excluded from the wait for volumes before that took too long`);
  }

  /** Neither the peer nor we have ended what is on it, and no limit is over. */
  #serverGoes(name: string): void {
    const machine = this.#cluster.get(resources.machines, 'fleet', name);
    if (machine !== undefined && hasLastHook(machine) && !this.deletedByOthers.has(name))
      this.#problem(`the server of ${name} goes while our last hook is on it`);
    if (machine === undefined || !this.#isMinded(machine) || this.deletedByOthers.has(name)) return;
    const passed = recordAt(checkpointOf(machine), 'passed');
    if (isHeld(machine)) this.#problem(`the server of ${name} goes while our hook is on it`);
    if (textAt(passed, 'drain', 'as') !== 'done') return;
    for (const pod of mustGo(this.#cluster, nodeNamed(machine)))
      this.#problem(`the server of ${name} goes with ${pod.metadata.name} on it`);
  }

  /** The peer minds Nodes, Pods and hooks only where the cluster lives on. */
  #isMinded(machine: KubeObject): boolean {
    const clusterName = textAt(machine, 'spec', 'clusterName') ?? '';
    const cluster = this.#cluster.get(resources.clusters, 'fleet', clusterName);
    const plane = this.#cluster.get(resources.controlPlanes, 'fleet', clusterName);
    const members = this.#cluster
      .list(resources.machines)
      .filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/control-plane'] !== undefined);
    const isLast = members.every((member) => isGoing(member));
    return !isGoing(cluster) && !isGoing(plane) && !isLast && nodeNamed(machine) !== '';
  }

  #problem(what: string): void {
    this.#problems.push(`unsafe: ${what}`);
  }
}

const isHeld = ({ metadata }: KubeObject): boolean =>
  Object.keys(metadata.annotations ?? {}).some((key) => ourHook.test(key));

const hasLastHook = ({ metadata }: KubeObject): boolean =>
  Object.entries(metadata.annotations ?? {}).some(
    ([key, value]) => lastHook.test(key) && value === 'phaseout.dev',
  );

/** Others may put a hook of that name on as well. */
const isOurs = ({ metadata }: KubeObject): boolean =>
  Object.entries(metadata.annotations ?? {}).some(
    ([key, value]) => ourHook.test(key) && value === 'phaseout.dev',
  );

const isGoing = (object: KubeObject | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;

const isReleased = (machine: KubeObject): boolean => textAt(checkpointOf(machine), 'released') !== undefined;
