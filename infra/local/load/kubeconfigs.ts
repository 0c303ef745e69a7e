import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';

/** A dump must never make anything here talk to the clusters it came from. */
export const isKubeconfig = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Secret' && metadata.name.endsWith('-kubeconfig');

/** Addresses of API servers by `namespace/name` of the Clusters that lead there. */
export type Elsewhere = ReadonlyMap<string, string>;

/** OpenShift has no Clusters: its Nodes are where its Machines are. */
const groups = ['cluster.x-k8s.io', 'cluster.k8s.io'];

/** Gives every Cluster a kubeconfig that leads to `url`, or to where its Nodes are served `elsewhere`. */
export function makeKubeconfigs(apiServer: ApiServer, url: string, elsewhere: Elsewhere): void {
  const served = new Set(apiServer.cluster.resources());
  for (const group of groups) {
    if (!served.has(`clusters.${group}`)) continue;
    for (const { metadata } of apiServer.cluster.list(`clusters.${group}`)) {
      apiServer.restore({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'cluster.x-k8s.io/secret',
        metadata: {
          name: `${metadata.name}-kubeconfig`,
          namespace: metadata.namespace ?? 'default',
          labels: { [`${group}/cluster-name`]: metadata.name },
        },
        stringData: { value: kubeconfigFor(elsewhere.get(`${metadata.namespace}/${metadata.name}`) ?? url) },
      });
    }
  }
}

/**
 * A kubeconfig for an API server without authentication. The made-up token keeps clients from asking for a password. There is
 * no TLS to verify: the client library of JavaScript refuses http where that is not said.
 */
export function kubeconfigFor(url: string): string {
  return `apiVersion: v1
kind: Config
current-context: phaseout
contexts:
  - name: phaseout
    context: { cluster: phaseout, user: phaseout }
clusters:
  - name: phaseout
    cluster: { server: '${url}', insecure-skip-tls-verify: true }
users:
  - name: phaseout
    user: { token: local }
`;
}
