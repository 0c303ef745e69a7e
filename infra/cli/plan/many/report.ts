import type { FleetPlan, HolderGroup } from '../../../../shared/explain/fleet/fleet-plan.ts';
import type { Verdict } from '../../../../shared/explain/fleet/verdict.ts';
import {
  groupTitles,
  heldText,
  holderText,
  machinesText,
  ownerText,
  preparingOf,
  preparingTitle,
  totalTexts,
} from '../../../../shared/explain/fleet/words.ts';
import { listOf } from '../../../../shared/text/truncate.ts';
import type { Paint } from '../../../terminal/paint.ts';
import { printable } from '../../../terminal/words.ts';
import { columns } from '../columns.ts';

interface Drawing {
  paint: Paint;
  /** All Machines, too, and all names of those that something holds. */
  isWide: boolean;
}

const sectionStyles = { held: 'red', unknown: 'yellow', waits: 'yellow' } as const;

/** The plan of many for people to read: what holds Machines, the worst first. */
export function reportLines(plan: FleetPlan, drawing: Drawing): string[] {
  const { paint, isWide } = drawing;
  const told = groupTitles.flatMap(({ verdict, title }) => {
    const groups = plan.groups.filter((group) => group.verdict === verdict);
    if (groups.length === 0) return [];
    const style = sectionStyles[verdict];
    return ['', paint('bold', title), ...groups.flatMap((group) => groupLines(group, style, drawing))];
  });
  return [
    paint('bold', totalsText(plan)),
    ...told,
    ...preparingLines(plan, paint),
    ...(isWide ? machineLines(plan, paint) : []),
  ];
}

const totalsText = ({ totals }: FleetPlan): string =>
  `${machinesText(totals.machines)}: ${totalTexts(totals)
    .map(([, text]) => text)
    .join(', ')}`;

function groupLines(group: HolderGroup, style: 'red' | 'yellow', { paint, isWide }: Drawing): string[] {
  const { machines, command } = group;
  const names = listOf(machines, isWide ? Infinity : shownMachines);
  const owner = ownerText(group);
  return [
    paint(style, `  ${printable(holderText(group))}`),
    `    ${printable(`${heldText(group)}: ${names}`)}`,
    ...(owner === undefined ? [] : [`    owner: ${printable(owner)}`]),
    ...(command === undefined ? [] : [`    ${paint('dim', printable(command))}`]),
  ];
}

const shownMachines = 3;

/** Each once, though many commands need it. */
function preparingLines({ groups }: FleetPlan, paint: Paint): string[] {
  const commands = preparingOf(groups);
  if (commands.length === 0) return [];
  return ['', paint('bold', preparingTitle), ...commands.map((command) => `  ${printable(command)}`)];
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
