import type { Cluster, KubeObject } from '../cluster.ts';
import { masters } from './user.ts';

const group = 'rbac.authorization.k8s.io';
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const health = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

interface DefaultRole {
  name: string;
  rules: object[];
  groups: string[];
}

const authenticated = 'system:authenticated';

/** The part of the API server's own roles that everybody lives by. */
const roles: readonly DefaultRole[] = [
  {
    name: 'cluster-admin',
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
    groups: [masters],
  },
  {
    name: 'system:basic-user',
    rules: [
      {
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
        verbs: ['create'],
      },
      { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
    ],
    groups: [authenticated],
  },
  {
    name: 'system:discovery',
    rules: [
      {
        nonResourceURLs: ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', ...health],
        verbs: ['get'],
      },
    ],
    groups: [authenticated],
  },
  {
    name: 'system:public-info-viewer',
    rules: [{ nonResourceURLs: health, verbs: ['get'] }],
    groups: [authenticated, 'system:unauthenticated'],
  },
];

/** Stores them, with the bindings that give them to everybody. */
export function installDefaultRoles(cluster: Cluster): void {
  for (const { name, rules, groups } of roles) {
    const metadata: KubeObject['metadata'] = { name, labels };
    cluster.create(`clusterroles.${group}`, { metadata, rules });
    cluster.create(`clusterrolebindings.${group}`, {
      metadata,
      roleRef: { apiGroup: group, kind: 'ClusterRole', name },
      subjects: groups.map((one) => ({ kind: 'Group', apiGroup: group, name: one })),
    });
  }
}
