import type { Registry } from '../discovery/registry.ts';
import { type ApiRequest, targetOf } from './request.ts';

export interface RequestCount {
  /** Kubernetes' word: get, list, watch, create, update, patch, delete or deletecollection. */
  readonly verb: string;
  /** `pods`, `pods/eviction`, `machines.cluster.x-k8s.io`; empty for discovery. */
  readonly resource: string;
  readonly count: number;
}

/** Counts requests by what they do to which resource. */
export class RequestCounter {
  readonly #counts = new Map<string, { verb: string; resource: string; count: number }>();

  count(registry: Registry, request: ApiRequest): void {
    const target = targetOf(registry, request.path);
    const subresource = target?.subresource ? `/${target.subresource}` : '';
    const resource = target ? target.resource.key + subresource : '';
    const verb = verbOf(request, target !== undefined && target.name === '');
    const key = `${verb} ${resource}`;
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else this.#counts.set(key, { verb, resource, count: 1 });
  }

  counts(): RequestCount[] {
    return [...this.#counts.values()].map((one) => ({ ...one }));
  }
}

function verbOf({ method, query }: ApiRequest, isCollection: boolean): string {
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'PATCH') return 'patch';
  if (method === 'DELETE') return isCollection ? 'deletecollection' : 'delete';
  if (isCollection && (query?.watch === 'true' || query?.watch === '1')) return 'watch';
  return isCollection ? 'list' : 'get';
}
