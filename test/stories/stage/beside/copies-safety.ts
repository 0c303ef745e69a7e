import type { Cluster, KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { Answer } from '../../../../shared/adapters/kubernetes/request.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import type { Clock } from '../../../../shared/time/clock.ts';
import type { Carried } from '../carriage.ts';
import { resources } from '../fleet.ts';
import { machines } from '../openshift.ts';
import { evictedBy, nodeNamed, nodeOf } from '../sights.ts';

/** What a guard rests on may be this old. */
const toleranceMilliseconds = 1_000;

const ruled: Readonly<Record<string, string>> = {
  [machines]: 'MachineAPI',
  [resources.machines]: 'ClusterAPI',
};

/** Checks our requests about Machines that are in both APIs. Some must never reach the copy without authority. */
export class CopiesSafety {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #problems: string[];
  /** Which API rules a Machine, and since when, by name. */
  readonly #authorities = new Map<string, { now: string; before: string; since: number }>();

  constructor(cluster: Cluster, clock: Clock, problems: string[]) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#problems = problems;
    cluster.watch(machines, ({ object }) => this.#note(object));
  }

  request({ verb, resource, path, body }: Carried, { code }: Answer): void {
    if (code >= 300) return;
    const parts = path.split('/');
    const [of = '', subresource] = resource.split('/');
    const authority = ruled[of];
    if (verb === 'patch' && authority !== undefined) {
      const name = parts.at(subresource === undefined ? -1 : -2) ?? '';
      if (!this.#isRuledBy(name, authority) && (subresource !== undefined || !isOfAnnotations(body)))
        this.#problem(`${path} was written without authority: ${JSON.stringify(body)}`);
    }
    if (resource === 'nodes' && verb === 'patch') this.#mustBeRuled(parts.at(-1) ?? '', 'was cordoned');
    if (resource === 'pods/eviction') this.#afterEviction(path);
  }

  #note({ metadata: { name }, status }: KubeObject): void {
    const now = textAt(status, 'authoritativeAPI') ?? '';
    const known = this.#authorities.get(name);
    if (known?.now === now) return;
    this.#authorities.set(name, { now, before: known?.now ?? now, since: this.#clock.now() });
  }

  #isRuledBy(name: string, ...wanted: string[]): boolean {
    const known = this.#authorities.get(name);
    // Machines of one API only are not what this is about.
    if (known === undefined || wanted.includes(known.now)) return true;
    return wanted.includes(known.before) && this.#clock.now() - known.since <= toleranceMilliseconds;
  }

  #afterEviction(path: string): void {
    const pod = evictedBy(this.#cluster, path);
    if (pod !== undefined) this.#mustBeRuled(nodeOf(pod), `lost ${pod.metadata.name}`);
  }

  #mustBeRuled(nodeName: string, what: string): void {
    const machine = this.#cluster.list(machines).find((each) => nodeNamed(each) === nodeName);
    if (machine !== undefined && !this.#isRuledBy(machine.metadata.name, 'MachineAPI', 'ClusterAPI'))
      this.#problem(`${nodeName} ${what} while the authority over ${machine.metadata.name} was moving`);
  }

  #problem(what: string): void {
    this.#problems.push(`unsafe: ${what}`);
  }
}

/** Annotations of ours, and what says which Machine is meant. */
function isOfAnnotations(body: unknown): boolean {
  const { metadata, apiVersion: _, kind: __, ...rest } = recordAt(body);
  const { annotations, resourceVersion: ___, uid: ____, ...others } = recordAt(metadata);
  return (
    [rest, others].every((each) => Object.keys(each).length === 0) &&
    Object.keys(recordAt(annotations)).every((key) => key.startsWith('phaseout.dev/'))
  );
}
