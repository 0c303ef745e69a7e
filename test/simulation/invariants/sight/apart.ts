import { clusterRead, machineRead, type Witness } from './witness.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/cluster.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import type { Part, View } from './past.ts';
import type { Actor } from './reads.ts';

export interface Case {
  actor: Actor;
  plan: MachinePlan;
  machine: KubeObject;
}

type Has = Part['has'];

/** What says whether a Machine's cluster goes on, and its Node stays: each of these is read by itself. */
const around = ({ resource: own, name: ownName }: MachinePlan): readonly Has[] => [
  ({ resource, name }) => resource === own && name === ownName,
  // Members of a control plane.
  ({ resource, name }) => resource === own && name === undefined,
  ({ resource }) => resource.startsWith('clusters.'),
  ({ resource }) => resource.includes('.controlplane.'),
  ({ resource }) => resource.includes('.infrastructure.'),
  ({ resource }) => resource === 'secrets',
  ({ resource }) => resource === 'nodes',
];

/**
 * Whether it is so of a Machine and its cluster, or was of what the actor may have before its eyes, each of it as of a
 * moment of its own. `grace` as in `wasSoLately`.
 */
export function wasSoAround(
  witness: Witness,
  { actor, plan, machine }: Case,
  isSo: (view: View) => boolean,
  grace?: number,
): boolean {
  const what = [machineRead(plan), clusterRead(machine)];
  if (witness.wasSoLately(actor, what, isSo, grace)) return true;
  const since = witness.earliestOf(actor, what, grace);
  if (since === undefined) return false;
  for (const view of witness.past.apart(around(plan).map((has) => ({ has, since }))))
    if (isSo(view)) return true;
  return false;
}
