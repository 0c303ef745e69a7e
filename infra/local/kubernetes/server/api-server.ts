import type { Clock } from '../../../../shared/time/clock.ts';
import { type AccessOptions, withAccess } from '../authorization/access.ts';
import { verbOf } from '../authorization/attributes.ts';
import { installDefaultRoles } from '../authorization/default-roles.ts';
import { resourceOf } from '../discovery/custom-resource.ts';
import { Registry } from '../discovery/registry.ts';
import { builtinResources } from '../kinds/builtin.ts';
import type { Api } from '../objects/api.ts';
import type { Cluster, KubeObject } from '../objects/cluster.ts';
import { localCluster } from '../objects/local-cluster.ts';
import { restore } from '../objects/restore.ts';
import { Store } from '../objects/store.ts';
import { Ownership } from '../ownership/ownership.ts';
import { lagging } from './lagging.ts';
import { type ApiRequest, type ApiResponse, targetOf } from './request.ts';
import { type RequestCount, RequestTally } from './request-counts.ts';
import { respond } from './respond.ts';
import { Wire } from './wire.ts';

export interface ApiServerOptions {
  readonly clock: Clock;
  /** Source of UIDs and generated names: numbers in [0, 1). */
  readonly random?: () => number;
  /** Users and the audit of their requests. Without it there is no authentication, and every request is permitted. */
  readonly access?: AccessOptions;
}

export interface ApiServer {
  readonly cluster: Cluster;
  /** Stores an object as a dump shows it; undefined when its kind is not served at its version. Throws ApiError. */
  restore(object: KubeObject): KubeObject | undefined;
  /** Answers one request; a watch answers with a stream. */
  respond(request: ApiRequest): ApiResponse;
  /** Requests answered so far, by verb and resource. */
  requests(): RequestCount[];
  /** Forgets the history of changes: watches and lists from an older resourceVersion get 410. */
  compact(): void;
}

/** An API server that keeps everything in memory. Namespaces `default` and `kube-system` exist from the start. */
export function createApiServer({ clock, random = Math.random, access }: ApiServerOptions): ApiServer {
  const store = new Store();
  const api: Api = {
    store,
    ownership: new Ownership(store),
    registry: new Registry(builtinResources),
    wire: new Wire(),
    clock,
    random,
  };
  const tally = new RequestTally();
  api.store.onChange(({ storage, type, object }) => {
    if (storage === 'customresourcedefinitions.apiextensions.k8s.io') serve(api, type, object);
  });
  const cluster = localCluster(api);
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    cluster.create('namespaces', { metadata: { name } });
  }
  const answer = (request: ApiRequest): ApiResponse => respond(lagging(api, request), request);
  const admitted = access === undefined ? answer : withAccess(api, access, answer);
  if (access !== undefined) installDefaultRoles(api);
  return {
    cluster,
    restore(object) {
      const resource = api.registry.byKind(object.apiVersion ?? '', object.kind ?? '');
      return resource && restore(api, resource, object);
    },
    respond(request) {
      tally.add(reportOf(api.registry, request));
      return admitted(request);
    },
    requests: () => tally.counts(),
    compact: () => api.store.forget(),
  };
}

/** A CustomResourceDefinition is served from the moment it is stored until it is gone; its objects go with it. */
function serve({ registry, store }: Api, type: string, definition: KubeObject): void {
  const resource = resourceOf(definition);
  if (type !== 'DELETED') return registry.add(resource);
  registry.remove(resource.key);
  for (const object of store.list(resource.storage)) store.drop(resource.storage, object);
}

function reportOf(registry: Registry, request: ApiRequest): { verb: string; resource: string } {
  const target = targetOf(registry, request.path);
  const subresource = target?.subresource ? `/${target.subresource}` : '';
  const resource = target ? target.resource.key + subresource : '';
  return { verb: verbOf(request, target?.name === ''), resource };
}
