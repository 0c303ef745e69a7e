import type { Cluster, KubeObject } from '../../infra/local/kubernetes/objects/cluster.ts';

const checkpointAnnotation = 'phaseout.dev/checkpoint';

/**
 * Measures how long the end of a wait stays unanswered. A wait ends when the last awaited Pod, or the infrastructure
 * object, is gone. The answer is the next effect on that Machine: its next batch is evicted, or its checkpoint moves
 * on.
 */
export class Waits {
  readonly #ended = new Map<string, number>();
  readonly #leaving = new Map<string, Set<string>>();
  readonly #checkpoints = new Map<string, string | undefined>();
  readonly milliseconds: number[] = [];

  constructor(cluster: Cluster) {
    cluster.watch('pods', ({ type, object }) => this.#podChanged(type, object));
    cluster.watch('machines.cluster.x-k8s.io', ({ object }) => this.#machineChanged(object));
    cluster.watch('localmachines.infrastructure.cluster.x-k8s.io', ({ type, object }) => {
      if (type === 'DELETED') this.#ended.set(object.metadata.name, performance.now());
    });
  }

  #podChanged(type: string, pod: KubeObject): void {
    const { nodeName = '' } = (pod['spec'] ?? {}) as { nodeName?: string };
    const leaving = this.#leaving.get(nodeName) ?? new Set<string>();
    this.#leaving.set(nodeName, leaving);
    const uid = pod.metadata.uid ?? '';
    if (type === 'DELETED') {
      leaving.delete(uid);
      if (leaving.size === 0) this.#ended.set(nodeName, performance.now());
      return;
    }
    if (pod.metadata.deletionTimestamp === undefined || leaving.has(uid)) return;
    leaving.add(uid);
    this.#answered(nodeName);
  }

  #machineChanged(machine: KubeObject): void {
    const { name, annotations } = machine.metadata;
    const checkpoint = annotations?.[checkpointAnnotation];
    if (this.#checkpoints.get(name) === checkpoint) return;
    this.#checkpoints.set(name, checkpoint);
    this.#answered(name);
  }

  #answered(name: string): void {
    const ended = this.#ended.get(name);
    if (ended === undefined) return;
    this.#ended.delete(name);
    this.milliseconds.push(performance.now() - ended);
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
