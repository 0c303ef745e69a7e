import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { hooksOf, isClusterApi, isOpenShift, machinesIn } from './apis.ts';
import type { ProviderAnswer, ProviderCall, StagedProvider } from './provider.ts';
import { isControlPlane, isCordoned, mustGo, nodeNamed } from './sights.ts';
import { conditionsOf } from './told-machine.ts';

interface Parts {
  cluster: Cluster;
  provider: StagedProvider;
}

interface Known {
  /** How a phase was passed, as the checkpoint says or last said. */
  passing(machine: KubeObject, phase: string): string | undefined;
  problem(what: string): void;
  /** Whether a Machine of this UID has gone a moment ago: who asks for it then has seen it. */
  hasJustGone(uid: string): boolean;
}

const excluding = 'machine.openshift.io/exclude-node-draining';

/** What must never happen to servers that a provider removes, and to their Nodes. */
export class ServerSafety {
  readonly #cluster: Cluster;
  readonly #provider: StagedProvider;
  readonly #known: Known;
  /** UIDs of Machines whose delete the provider has accepted. */
  readonly #accepted = new Set<string>();

  constructor({ cluster, provider }: Parts, known: Known) {
    this.#cluster = cluster;
    this.#provider = provider;
    this.#known = known;
  }

  afterCall({ operation, machine }: ProviderCall, answer: ProviderAnswer | undefined): void {
    const { name, uid = '' } = machine.metadata;
    if (operation === 'delete' && answer?.kind === 'accepted') this.#accepted.add(uid);
    const current = machinesIn(this.#cluster).find(({ metadata }) => metadata.uid === uid);
    if (current === undefined) {
      if (!this.#known.hasJustGone(uid)) this.#problem(`${operation} of the server of nobody's ${name}`);
      return;
    }
    const isDeleting = current.metadata.deletionTimestamp !== undefined;
    if (operation === 'delete' && !isDeleting) this.#problem(`the server of living ${name} was deleted`);
    if (operation === 'delete' && isOpenShift(current)) this.#beforeServer(current);
  }

  afterNode(verb: string, name: string): void {
    const machine = machinesIn(this.#cluster).find((each) => nodeNamed(each) === name);
    if (machine === undefined || isClusterApi(machine)) return;
    if (verb === 'delete') this.#serverIsGone(machine, `Node ${name} deleted`);
    if (verb === 'patch' && isOpenShift(machine)) this.#afterCordon(name);
  }

  afterRelease(machine: KubeObject): void {
    this.#serverIsGone(machine, `${machine.metadata.name} let go`);
    const { name, namespace, finalizers = [] } = machine.metadata;
    const now = machinesIn(this.#cluster).find(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
    const others = finalizers.filter(
      (each) => !/^machine\.(machine\.openshift\.io|cluster\.k8s\.io)$/.test(each),
    );
    const left = now?.metadata.finalizers ?? [];
    // Kubernetes takes its own off when it likes to.
    const lost = others.filter((each) => each !== 'foregroundDeletion' && !left.includes(each));
    if (lost.length > 0) this.#problem(`${name} lost finalizers of others: ${lost.join(', ')}`);
  }

  /** A control plane Node is never cordoned beside another one. */
  #afterCordon(name: string): void {
    const node = this.#cluster.get('nodes', undefined, name);
    if (node === undefined || !isControlPlane(node)) return;
    const others = this.#cluster
      .list('nodes')
      .filter((other) => other.metadata.name !== name && isControlPlane(other) && isCordoned(other));
    for (const other of others)
      this.#problem(`${name} cordoned while control plane Node ${other.metadata.name} was`);
  }

  #beforeServer(machine: KubeObject): void {
    const { name, annotations = {} } = machine.metadata;
    const hooks = hooksOf(machine, 'preTerminate');
    if (hooks.length > 0) this.#problem(`${name}: server deleted with preTerminate ${hooks.join(', ')}`);
    const drain = this.#known.passing(machine, 'drain');
    // Without a word of ours on the drain, somebody else has done it and has said so.
    const drained = conditionsOf(machine).find((each) => recordAt(each)['type'] === 'Drained');
    if (recordAt(drained)['status'] !== 'True') this.#problem(`${name}: server deleted without Drained`);
    if (drain !== 'done' || Object.keys(annotations).includes(excluding)) return;
    for (const pod of mustGo(this.#cluster, nodeNamed(machine)))
      this.#problem(`the server of ${name} was deleted with ${pod.metadata.name} on it`);
  }

  /** OpenShift waits until it is; v1alpha1 believes the provider that it will be. */
  #serverIsGone(machine: KubeObject, when: string): void {
    const isGone = isOpenShift(machine)
      ? this.#provider.serverOf(machine) === undefined
      : this.#accepted.has(machine.metadata.uid ?? '');
    if (!isGone) this.#problem(`${when} before the server was`);
  }

  #problem(what: string): void {
    this.#known.problem(what);
  }
}
