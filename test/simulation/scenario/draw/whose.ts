import type { Config } from '../../../../shared/runtime/config.ts';
import type { Random } from '../../random.ts';
import { filterLabel } from '../blockers/case.ts';
import type { Blueprint, MachineBlueprint } from '../blueprint.ts';

type Whose = Pick<Config, 'namespaces' | 'watchFilter' | 'mode' | 'besideControlPlanes'>;

const ours = 'ours';

const isGoing = ({ deletedAt }: MachineBlueprint): boolean => deletedAt.length > 0;

/** Whether phaseout is there for this Machine: it may be for those of some namespaces alone, or with a label. */
export const isLookedAfter = (
  { api, namespace, labels, isControlPlane }: MachineBlueprint,
  { namespaces = [], watchFilter = '', mode, besideControlPlanes = false }: Partial<Whose>,
): boolean =>
  (mode?.[api] !== 'beside' || besideControlPlanes || !isControlPlane) &&
  (namespaces.length === 0 || namespaces.includes(namespace)) &&
  (watchFilter === '' || api !== 'capi' || labels[filterLabel] === watchFilter);

/** For whose Machines phaseout is there, where not for all: at least for one that goes. */
export function drawWhose(
  random: Random,
  blueprint: Blueprint,
): { blueprint: Blueprint; config: Partial<Whose> } {
  if (random.chance(0.1)) return { blueprint, config: drawNamespaces(random, blueprint) };
  return random.chance(0.1) ? drawLabels(random, blueprint) : { blueprint, config: {} };
}

function drawNamespaces(random: Random, { machines }: Blueprint): Partial<Whose> {
  const { namespace } = random.oneOf(machines.filter(isGoing));
  const others = new Set(machines.map((each) => each.namespace).filter((each) => each !== namespace));
  return { namespaces: [namespace, ...random.some([...others], 0.3)] };
}

/** Only Cluster API knows such a label. */
function drawLabels(random: Random, blueprint: Blueprint): ReturnType<typeof drawWhose> {
  const { machines } = blueprint;
  const going = machines.filter((each) => each.api === 'capi' && isGoing(each));
  const first = going.length === 0 ? undefined : random.oneOf(going);
  const labelled = (machine: MachineBlueprint): MachineBlueprint => {
    const value = machine === first ? ours : random.oneOf([ours, ours, ours, 'theirs', undefined]);
    if (machine.api !== 'capi' || value === undefined) return machine;
    return { ...machine, labels: { ...machine.labels, [filterLabel]: value } };
  };
  return { blueprint: { ...blueprint, machines: machines.map(labelled) }, config: { watchFilter: ours } };
}
