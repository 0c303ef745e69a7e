import type { MachinePlan } from '../../scenario/model.ts';
import type { Case } from './judging.ts';
import { isSoInAny, type Part, type View } from './past.ts';
import { clusterRead, machineRead, type Witness } from './witness.ts';

/** How long an instance may believe what it knows of control planes and infrastructure. */
export const farGrace = 6_000;

type Has = Part['has'];

/** What says whether a Machine's cluster goes on, and its Node stays: each of these is read by itself. */
const around = ({
  resource: own,
  name: ownName,
}: MachinePlan): readonly (readonly [Has, isFar: boolean])[] => [
  [({ resource, name }) => resource === own && name === ownName, false],
  // Members of a control plane.
  [({ resource, name }) => resource === own && name === undefined, true],
  [({ resource }) => resource.startsWith('clusters.'), false],
  [({ resource }) => resource.includes('.controlplane.'), true],
  [({ resource }) => resource.includes('.infrastructure.'), true],
  [({ resource }) => resource === 'secrets', true],
  [({ resource }) => resource === 'nodes', false],
];

/** None where the actor has read neither the Machine nor its Cluster. */
function partsAround(witness: Witness, { actor, plan, machine }: Case, grace = 0): Part[] {
  const since = witness.earliestOf(actor, [machineRead(plan), clusterRead(machine)], grace || undefined);
  if (since === undefined) return [];
  // An instance remembers far objects from its last step of any Machine. The shared Cluster of another Machine may have
  // been read long before.
  const sinceFar = Math.min(since, witness.reads.beganAt(actor) - grace);
  return around(plan).map(([has, isFar]) => ({ has, since: isFar ? sinceFar : since }));
}

/**
 * Whether it holds for a Machine and its cluster now, or held in what the actor may see. Each object there may be of
 * another moment. `grace` as in `wasSoLately`.
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
