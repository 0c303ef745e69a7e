import type { FleetPlan, HolderGroup } from '../../../../shared/explain/fleet/fleet-plan.ts';
import type { Verdict } from '../../../../shared/explain/fleet/verdict.ts';
import { listOf } from '../../../../shared/text/truncate.ts';
import type { Paint } from '../../../terminal/paint.ts';
import { counted, printable } from '../../../terminal/words.ts';
import { columns } from '../columns.ts';

interface Drawing {
  paint: Paint;
  /** All Machines, too, and all names of those that something holds. */
  isWide: boolean;
}

const sections = [
  { verdict: 'held', title: 'Held: somebody has to act', style: 'red' },
  { verdict: 'unknown', title: 'Unknown: what decides was not read', style: 'yellow' },
  { verdict: 'waits', title: 'Waits: it goes on by itself, later', style: 'yellow' },
] as const;

/** The plan of many for people to read: what holds Machines, the worst first. */
export function reportLines(plan: FleetPlan, drawing: Drawing): string[] {
  const { paint, isWide } = drawing;
  const told = sections.flatMap(({ verdict, title, style }) => {
    const groups = plan.groups.filter((group) => group.verdict === verdict);
    if (groups.length === 0) return [];
    return ['', paint('bold', title), ...groups.flatMap((group) => groupLines(group, style, drawing))];
  });
  return [
    paint('bold', totalsText(plan)),
    ...told,
    ...preparingLines(plan, paint),
    ...(isWide ? machineLines(plan, paint) : []),
  ];
}

function totalsText({ totals }: FleetPlan): string {
  const { machines, goes, held, unknown, waits } = totals;
  const parts = [
    `${goes} ${goes === 1 ? 'goes' : 'go'}`,
    `${held} held`,
    `${waits} ${waits === 1 ? 'waits' : 'wait'}`,
    `${unknown} unknown`,
  ];
  return `${counted(machines, 'Machine')}: ${parts.join(', ')}`;
}

const ownedKinds: readonly HolderGroup['kind'][] = ['budget', 'eviction', 'return', 'hook'];

function groupLines(group: HolderGroup, style: 'red' | 'yellow', { paint, isWide }: Drawing): string[] {
  const { what, cluster, owner, command, kind } = group;
  const where = cluster === undefined ? '' : `, in cluster ${cluster}`;
  const isOwned = owner !== undefined || ownedKinds.includes(kind);
  return [
    paint(style, `  ${printable(`${what}${where}`)}`),
    `    ${printable(machinesText(group, isWide))}`,
    ...(isOwned ? [`    owner: ${printable(owner ?? 'unknown')}`] : []),
    ...(command === undefined ? [] : [`    ${paint('dim', printable(command))}`]),
  ];
}

const shownMachines = 3;

function machinesText({ machines, atOnce, object, verdict }: HolderGroup, isWide: boolean): string {
  const names = listOf(machines, isWide ? Infinity : shownMachines);
  const count = counted(machines.length, 'Machine');
  if (verdict !== 'waits' || atOnce === undefined || object === undefined) return `${count}: ${names}`;
  const verb = machines.length === 1 ? 'needs' : 'need';
  return `${count} ${verb} budget ${object.namespace}/${object.name}: ${atOnce} at a time: ${names}`;
}

/** Each once, though many commands need it. */
function preparingLines({ groups }: FleetPlan, paint: Paint): string[] {
  const commands = [...new Set(groups.flatMap(({ preparing }) => preparing ?? []))];
  if (commands.length === 0) return [];
  return [
    '',
    paint('bold', 'First, the way to the clusters of the Nodes'),
    ...commands.map((command) => `  ${printable(command)}`),
  ];
}

const styles: Readonly<Record<Verdict, 'red' | 'yellow' | 'green'>> = {
  held: 'red',
  unknown: 'yellow',
  waits: 'yellow',
  goes: 'green',
};

function machineLines({ machines }: FleetPlan, paint: Paint): string[] {
  const rows = machines.map(({ verdict, namespace, name, cluster = '-', node = '-', heldBy }) => [
    verdict,
    `${namespace}/${name}`,
    cluster,
    node,
    heldBy.join('; ') || '-',
  ]);
  const [head = '', ...lines] = columns([['VERDICT', 'MACHINE', 'CLUSTER', 'NODE', 'HELD BY'], ...rows]);
  return [
    '',
    paint('dim', head),
    ...lines.map((line, index) => paint(styles[machines[index]?.verdict ?? 'goes'], line)),
  ];
}
