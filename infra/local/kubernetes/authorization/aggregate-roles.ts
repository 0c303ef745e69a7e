import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { selects } from '../selectors/object-selector.ts';
import { areEqual, at, listOf } from '../server/json.ts';

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
      selectors.some((selector) => selects(selector, metadata.labels ?? {})),
  );
  const rules = chosen.flatMap((one) => listOf(one['rules']));
  return rules.filter((rule, index) => rules.findIndex((other) => areEqual(rule, other)) === index);
}
