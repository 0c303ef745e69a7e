import { type Api, timestamp } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { selects } from '../selectors/label-selector.ts';
import { areEqual, at, listOf } from '../server/json.ts';
import { authenticated, masters, unauthenticated } from './user.ts';

const group = 'rbac.authorization.k8s.io';
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const health = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

interface DefaultRole {
  name: string;
  rules: object[];
  groups: string[];
}

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
    groups: [authenticated, unauthenticated],
  },
];

/** Stores them, with the bindings that give them to everybody. Their UIDs are always the same. */
export function installDefaultRoles({ store, clock }: Api): void {
  const apiVersion = `${group}/v1`;
  const creationTimestamp = timestamp(clock.now());
  for (const [index, { name, rules, groups }] of roles.entries()) {
    const metadata = (what: number) => ({ name, uid: uidOf(what, index), creationTimestamp, labels });
    store.put(`clusterroles.${group}`, { kind: 'ClusterRole', apiVersion, metadata: metadata(1), rules });
    store.put(`clusterrolebindings.${group}`, {
      kind: 'ClusterRoleBinding',
      apiVersion,
      metadata: metadata(2),
      roleRef: { apiGroup: group, kind: 'ClusterRole', name },
      subjects: groups.map((one) => ({ kind: 'Group', apiGroup: group, name: one })),
    });
  }
}

const uidOf = (what: number, index: number): string => `00000000-0000-4000-8000-0000000000${what}${index}`;

const storage = 'clusterroles.rbac.authorization.k8s.io';

/** Keeps the rules of every ClusterRole that aggregates others to what these have. */
export function aggregateRoles({ store }: Api): void {
  store.onChange((change) => {
    if (change.storage !== storage) return;
    for (const role of store.list(storage)) {
      const rules = aggregated(role, store.list(storage));
      if (rules !== undefined && !areEqual(rules, role['rules'])) store.put(storage, { ...role, rules });
    }
  });
}

/** Each rule once; undefined for a role that aggregates nothing. */
function aggregated(role: KubeObject, all: readonly KubeObject[]): unknown[] | undefined {
  const selectors = at(role, 'aggregationRule', 'clusterRoleSelectors');
  if (!Array.isArray(selectors)) return undefined;
  const chosen = all.filter(
    ({ metadata }) =>
      metadata.name !== role.metadata.name &&
      selectors.some((selector) => selects(selector, metadata.labels)),
  );
  const rules = chosen.flatMap((one) => listOf(one['rules']));
  return rules.filter((rule, index) => rules.findIndex((other) => areEqual(rule, other)) === index);
}
