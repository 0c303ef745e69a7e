import type { RequestReport } from '../../../../shared/adapters/kubernetes/request.ts';

/** How many requests of one verb a resource got. */
export interface RequestCount {
  /** Kubernetes' word: get, list, watch, create, update, patch, delete, deletecollection. */
  verb: string;
  /** `pods/eviction`, `machines.cluster.x-k8s.io`; empty for discovery. */
  resource: string;
  count: number;
}

/** Counts requests by what they do to which resource. */
export class RequestTally {
  readonly #counts = new Map<string, RequestCount>();

  readonly add = ({ verb, resource }: Pick<RequestReport, 'verb' | 'resource'>): void => {
    const key = `${verb} ${resource}`;
    const known = this.#counts.get(key) ?? { verb, resource, count: 0 };
    this.#counts.set(key, { ...known, count: known.count + 1 });
  };

  counts(): RequestCount[] {
    return [...this.#counts.values()];
  }
}
