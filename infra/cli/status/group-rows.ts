import type { Grouping, StandingGroup } from '../../../shared/explain/fleet/standing-groups.ts';
import { lasting } from '../../../shared/explain/lasting.ts';
import { listOf } from '../../../shared/text/truncate.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { columns } from '../plan/columns.ts';

interface Drawing {
  now: Instant;
  paint: Paint;
  /** With the names of all Machines. */
  isWide: boolean;
}

const shownMachines = 3;

/** A row for each group: how many Machines, how they stand, and for how long the oldest is being deleted. */
export function groupRows(groups: readonly StandingGroup[], by: Grouping, drawing: Drawing): string[] {
  if (groups.length === 0) return [];
  const { now, paint, isWide } = drawing;
  const cells = groups.map(({ name, machines, states, oldestDeletedAt }) => [
    name,
    String(machines.length),
    String(states.held),
    String(states.late),
    lasting(now - Date.parse(oldestDeletedAt)),
    listOf(machines, isWide ? Infinity : shownMachines),
  ]);
  const heading = [by.toUpperCase(), 'MACHINES', 'HELD', 'LATE', 'OLDEST', 'WHICH'];
  const [head = '', ...rows] = columns([heading, ...cells]);
  return [paint('dim', head), ...rows.map((row, index) => paint(styleOf(groups[index]), row))];
}

function styleOf(group: StandingGroup | undefined): 'red' | 'yellow' | 'green' {
  if (group === undefined || group.states.held > 0) return 'red';
  return group.states.late > 0 ? 'yellow' : 'green';
}
