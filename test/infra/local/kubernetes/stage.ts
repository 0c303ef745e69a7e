import { clusterApiDefinitions } from '../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { type ApiServer, createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

interface Asked {
  query?: Record<string, string>;
  /** Of the body; what the verb usually has where it is not said. */
  type?: string;
  accept?: string;
}

const merge = 'application/merge-patch+json';
export const jsonPatch = 'application/json-patch+json';

/** A server with the kinds of Cluster API, and the way to ask it. */
export function aServer() {
  const server: ApiServer = createApiServer({ clock: new VirtualClock(Date.parse('2026-01-01T00:00:00Z')) });
  for (const definition of clusterApiDefinitions())
    server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  return {
    server,
    ask: (method: string, path: string, body?: unknown, { query = {}, type, accept }: Asked = {}) => {
      const usual = method === 'PATCH' ? merge : 'application/json';
      const headers = { 'content-type': type ?? usual, ...(accept !== undefined && { accept }) };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = server.respond({ method, path, query, headers, ...text });
      return { status: answer.status, body: JSON.parse(answer.body || 'null') };
    },
  };
}

export type Server = ReturnType<typeof aServer>;

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const pods = '/api/v1/namespaces/default/pods';
export const machines = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines';
export const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
export const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

export const configMap = (name: string, metadata: object = {}, data: object = { a: '1' }) => ({
  metadata: { name, ...metadata },
  data,
});

export const aPod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'main:1' }], ...spec },
});

export const machine = (name: string, metadata: object = {}) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, ...metadata },
  spec: {
    clusterName: 'c1',
    bootstrap: { dataSecretName: 'b' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'X', name: 'x' },
  },
});
