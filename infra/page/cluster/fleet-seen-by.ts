import type { JudgedMachine } from '../../../shared/explain/fleet/fleet-plan.ts';
import { machinesText } from '../../../shared/explain/fleet/words.ts';
import { type WorkloadRef, workloadName } from '../../../shared/kubernetes/client.ts';
import { type JudgedFleet, nameOf } from '../look/fleet.ts';
import { type MachinesOf, machinesSeenBy } from './machines-seen-by.ts';
import { onNodes } from './on-nodes.ts';
import type { May } from './rights.ts';

/**
 * The Machines of a plan that somebody may see. What holds one names what is on its Node. For who may not look there it is
 * left out, and that is said.
 */
export async function fleetSeenBy(
  fleet: JudgedFleet,
  machinesOf: MachinesOf,
  may: May,
): Promise<JudgedFleet> {
  const named = fleet.machines.map((machine) => ({ ...nameOf(machine), machine }));
  const seen = (await machinesSeenBy(named, machinesOf, may)).map(({ machine }) => machine);
  const answers = await Promise.all(
    seen.map(async (machine) => machine.holders.length === 0 || onNodes(nodesOf(machine), may).all()),
  );
  const hidden = new Set(seen.filter((_machine, index) => !answers[index]));
  const isWhole = hidden.size === 0 && seen.length === fleet.machines.length;
  return {
    ...fleet,
    machines: seen.map((machine) => (hidden.has(machine) ? { ...machine, holders: [] } : machine)),
    unread: [...(isWhole ? fleet.unread : unreadSeenBy(fleet.unread)), ...hiddenTexts([...hidden])],
  };
}

/** One that makes no sense leads to no Node. What it says of itself is for who may look at those here. */
const nodesOf = ({ nodesIn = { kind: 'here' } }: JudgedMachine): WorkloadRef => nodesIn;

/** They name clusters and objects. */
const unreadSeenBy = (unread: readonly string[]): string[] =>
  unread.length === 0 ? [] : ['not shown: what could not be read, which may name what you may not see'];

function hiddenTexts(hidden: readonly JudgedMachine[]): string[] {
  const byPlace = Map.groupBy(hidden, (machine) => workloadName(nodesOf(machine)));
  return [...byPlace.values()].map((those) => {
    const [first] = those;
    const place = first === undefined ? ({ kind: 'here' } as const) : nodesOf(first);
    return `not shown: what holds ${machinesText(those.length)}${missingRight(place)}`;
  });
}

const missingRight = (place: WorkloadRef): string =>
  place.kind === 'here'
    ? ': you may not list pods, poddisruptionbudgets, nodes, persistentvolumes and volumeattachments in all namespaces'
    : ` of cluster ${workloadName(place)}: you may not get the Secret ${place.clusterName}-kubeconfig in namespace ${place.namespace}`;
