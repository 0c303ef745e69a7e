import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { identityOf } from '../kubernetes/objects/identity.ts';
import { selects } from '../kubernetes/selectors/label-selector.ts';
import { at } from '../kubernetes/server/json.ts';
import { type GivenMachine, listed } from './given-machine.ts';

/** Which owners of Pods were not given, and what that does to the budgets over Pods of the Node. */
export function ownerNotes({ objects, pods }: GivenMachine): string[] {
  const known = new Set(objects.map(identityOf));
  const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
  return budgets.flatMap((budget) => {
    if (!pods.some((pod) => isOver(budget, pod))) return [];
    const selected = objects.filter((object) => object.kind === 'Pod' && isOver(budget, object));
    const missing = new Set(selected.flatMap((pod) => missingOwners(pod, objects, known)));
    return missing.size === 0 ? [] : [say(budget, [...missing], selected.length)];
  });
}

const say = ({ metadata }: KubeObject, owners: readonly string[], pods: number): string =>
  `owners of Pods were not given: ${listed(owners)}. PodDisruptionBudget ${metadata.namespace}/${metadata.name} depends on ` +
  `how many Pods they want: a run counts the ${pods} that were given, and takes each that has gone for replaced`;

function isOver(budget: KubeObject, pod: KubeObject): boolean {
  const isBeside = (budget.metadata.namespace ?? 'default') === (pod.metadata.namespace ?? 'default');
  return isBeside && selects(at(budget, 'spec', 'selector'), pod.metadata.labels);
}

/** The Pod's controller, and the Deployment above that. Those of DaemonSets are made up, and no budget asks them. */
function missingOwners(
  object: KubeObject,
  objects: readonly KubeObject[],
  known: ReadonlySet<string>,
): string[] {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined || owner.kind === 'DaemonSet' || owner.kind === 'Node') return [];
  const { namespace = 'default' } = object.metadata;
  const { apiVersion, kind, name } = owner;
  const key = identityOf({ apiVersion, kind, metadata: { name, namespace } });
  if (!known.has(key)) return [`${owner.kind} ${namespace}/${owner.name}`];
  const found = owner.kind === 'ReplicaSet' ? objects.find((one) => identityOf(one) === key) : undefined;
  return found === undefined ? [] : missingOwners(found, objects, known);
}
