import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { identityOf } from '../kubernetes/objects/identity.ts';
import { selects } from '../kubernetes/selectors/label-selector.ts';
import { at } from '../kubernetes/server/json.ts';
import { type GivenMachine, listed } from './given-machine.ts';
import { ofKind, oncePer, withIdentity } from './given-objects.ts';

/** Which owners of Pods were not given, and what that does to the budgets over Pods of the Node. */
export function ownerNotes({ objects, pods }: GivenMachine): string[] {
  const guarding = ofKind(objects, 'PodDisruptionBudget').filter((budget) =>
    pods.some((pod) => isOver(budget, pod)),
  );
  return guarding.flatMap((budget) => notesByBudget(objects)(budget));
}

const notesByBudget = oncePer((objects: readonly KubeObject[]) =>
  oncePer((budget: KubeObject): string[] => {
    const selected = ofKind(objects, 'Pod').filter((pod) => isOver(budget, pod));
    const missing = new Set(selected.flatMap((pod) => missingOwners(pod, objects)));
    return missing.size === 0 ? [] : [say(budget, [...missing], selected.length)];
  }),
);

const say = ({ metadata }: KubeObject, owners: readonly string[], pods: number): string =>
  `owners of Pods were not given: ${listed(owners)}. PodDisruptionBudget ${metadata.namespace}/${metadata.name} depends on ` +
  `how many Pods they want: a run counts the ${pods} that were given, and takes each that has gone for replaced`;

function isOver(budget: KubeObject, pod: KubeObject): boolean {
  const isBeside = (budget.metadata.namespace ?? 'default') === (pod.metadata.namespace ?? 'default');
  return isBeside && selects(at(budget, 'spec', 'selector'), pod.metadata.labels);
}

/** The Pod's controller, and the Deployment above that. Those of DaemonSets are made up, and no budget asks them. */
function missingOwners(object: KubeObject, objects: readonly KubeObject[]): string[] {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined || owner.kind === 'DaemonSet' || owner.kind === 'Node') return [];
  const { namespace = 'default' } = object.metadata;
  const { apiVersion, kind, name } = owner;
  const key = identityOf({ apiVersion, kind, metadata: { name, namespace } });
  const found = withIdentity(objects, key);
  if (found === undefined) return [`${owner.kind} ${namespace}/${owner.name}`];
  return owner.kind === 'ReplicaSet' ? missingOwners(found, objects) : [];
}
