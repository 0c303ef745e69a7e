import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { workloadNamespace } from './rendered.ts';

const rights = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch', 'patch', 'update', 'delete'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
  {
    apiGroups: [''],
    resources: ['namespaces', 'persistentvolumes', 'persistentvolumeclaims'],
    verbs: ['get', 'list', 'watch'],
  },
  { apiGroups: ['apps'], resources: ['daemonsets'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['storage.k8s.io'], resources: ['volumeattachments'], verbs: ['get', 'list', 'watch'] },
  { nonResourceURLs: ['*'], verbs: ['get'] },
];

/** Cluster API's own controller reaches Nodes by the same kubeconfig Secret, and needs more of them than phaseout. */
export function peerObjects(name: string): KubeObject[] {
  const metadata = { name: `${name}-peer` };
  const apiGroup = 'rbac.authorization.k8s.io';
  return [
    { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata, rules: rights },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup, kind: 'ClusterRole', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'phaseout', namespace: workloadNamespace(name) }],
    },
  ];
}
