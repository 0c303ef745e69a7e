import { clusterRead, machineRead, type Witness } from './witness.ts';
import type { MachinePlan } from '../../scenario/model.ts';
import type { Case } from './judging.ts';
import { isSoInAny, type Part, type View } from './past.ts';

/** How long an instance may believe what it knows of control planes and infrastructure. */
export const farGrace = 6_000;

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

/** None where the actor has read neither the Machine nor its Cluster. */
function partsAround(witness: Witness, { actor, plan, machine }: Case, grace?: number): Part[] {
  const since = witness.earliestOf(actor, [machineRead(plan), clusterRead(machine)], grace);
  return since === undefined ? [] : around(plan).map((has) => ({ has, since }));
}

/**
 * Whether it is so of a Machine and its cluster, or was of what the actor may have before its eyes, each of it as of a
 * moment of its own. `grace` as in `wasSoLately`.
 */
export function wasSoAround(
  witness: Witness,
  of: Case,
  isSo: (view: View) => boolean,
  grace?: number,
): boolean {
  const { past } = witness;
  return isSo(past.present) || isSoInAny(past.apart(partsAround(witness, of, grace)), isSo);
}
