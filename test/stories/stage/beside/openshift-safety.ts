import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Answer } from '../../../../shared/adapters/kubernetes/request.ts';
import { textAt } from '../../../../shared/dialects/fields.ts';
import type { Clock } from '../../../../shared/time/clock.ts';
import { hooksOf } from '../apis.ts';
import type { Carried } from '../carriage.ts';
import { machines } from '../openshift.ts';
import { evictedBy, mustGo, nodeNamed, nodeOf } from '../sights.ts';

/** What a guard rests on may be this old. */
const toleranceMilliseconds = 1_000;

/** Looks at what we do beside OpenShift's own controllers for what must never happen. */
export class OpenShiftSafety {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #problems: string[];
  /** When a Machine was first seen without our hook, by UID. */
  readonly #offSince = new Map<string, number>();
  readonly #last = new Map<string, KubeObject>();

  /** Whether we work beside the peer, and not in its place. */
  isOn = true;

  constructor(cluster: Cluster, clock: Clock, problems: string[]) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#problems = problems;
    cluster.watch(machines, ({ object }) => this.#note(object));
  }

  request({ verb, resource, path, body }: Carried, { code }: Answer): void {
    if (!this.isOn || code >= 300) return;
    const name = path.split('/').at(-1) ?? '';
    if (resource === 'pods/eviction') this.#afterEviction(path);
    if (resource === 'nodes' && verb === 'patch') this.#mustHold(name, 'was cordoned');
    // The other watch of the stage sees to Pods.
    if (verb === 'delete' && !['leases.coordination.k8s.io', 'pods'].includes(resource))
      this.#problem(`${path} was deleted by us`);
    if (resource === `${machines}/status` && Array.isArray(body)) this.#afterMark(path);
  }

  #note(machine: KubeObject): void {
    const { uid = '', name } = machine.metadata;
    const before = this.#last.get(uid);
    this.#last.set(uid, machine);
    if (isHeld(machine)) this.#offSince.delete(uid);
    else if (!this.#offSince.has(uid)) this.#offSince.set(uid, this.#clock.now());
    const isLate =
      machine.metadata.deletionTimestamp !== undefined && before !== undefined && !isHeld(before);
    if (this.isOn && isLate && isHeld(machine))
      this.#problem(`${name} got our hook while it was being deleted`);
  }

  #afterEviction(path: string): void {
    const pod = evictedBy(this.#cluster, path);
    if (pod !== undefined) this.#mustHold(nodeOf(pod), `lost ${pod.metadata.name}`);
  }

  /** Whatever we do to a Node rests on our hook. */
  #mustHold(nodeName: string, what: string): void {
    const machine = this.#cluster.list(machines).find((each) => nodeNamed(each) === nodeName);
    if (machine === undefined) return this.#problem(`${nodeName} ${what} without its Machine`);
    const since = this.#offSince.get(machine.metadata.uid ?? '');
    if (since !== undefined && this.#clock.now() - since > toleranceMilliseconds)
      this.#problem(`${nodeName} ${what} while our hook was not on ${machine.metadata.name}`);
  }

  /**
   * The peer goes on at once after the mark. So no other hook holds the Machine, and its Node has no Pod that must go.
   */
  #afterMark(path: string): void {
    const name = path.split('/').at(-2) ?? '';
    const machine = this.#cluster.list(machines).find(({ metadata }) => metadata.name === name);
    if (machine === undefined) return;
    const others = hooksOf(machine, 'preDrain').filter((hook) => hook !== 'phaseout');
    if (others.length > 0) this.#problem(`${name} was marked as drained while ${others.join(', ')} held it`);
    const authority = textAt(machine, 'status', 'authoritativeAPI') ?? 'MachineAPI';
    if (authority !== 'MachineAPI') this.#problem(`${name} was marked as drained under ${authority}`);
    for (const pod of mustGo(this.#cluster, nodeNamed(machine)))
      this.#problem(`${name} was marked as drained with ${pod.metadata.name} on its Node`);
  }

  #problem(what: string): void {
    this.#problems.push(`unsafe: ${what}`);
  }
}

const isHeld = (machine: KubeObject): boolean => hooksOf(machine, 'preDrain').includes('phaseout');
