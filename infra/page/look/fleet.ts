import { fleetPlanNaming, type JudgedMachine } from '../../../shared/explain/fleet/fleet-plan.ts';
import type { MachineSelection } from '../../../shared/explain/fleet/selection.ts';
import { unreadIn } from '../../../shared/kubernetes/errors.ts';
import type { Clock, Instant } from '../../../shared/time/clock.ts';
import type { MachineName, PlanView } from '../views.ts';
import { apiNameIn } from './names.ts';
import type { JudgedMany, Sight } from './sight.ts';
import { whyUnread } from './why-unread.ts';

/** Machines that were judged at one time, before anything is known of who reads that. */
export interface JudgedFleet extends JudgedMany {
  madeAt: Instant;
  /** Nothing was judged: what was asked for makes no sense. */
  problem?: string;
}

/** Judges the Machines that are meant. What cannot be read is said in its place. */
export async function lookAtFleet(
  selection: MachineSelection,
  { judgeMany, clock }: Pick<Sight, 'judgeMany' | 'clock'>,
): Promise<JudgedFleet> {
  const madeAt = clock.now();
  try {
    return { madeAt, ...(await judgeMany(selection)) };
  } catch (error) {
    return { madeAt, machines: [], unread: [unreadIn(error)?.message ?? whyUnread('Machines', error)] };
  }
}

/** The plan of these Machines, for one reader. */
export function planView(
  { madeAt, machines, problem, unread }: JudgedFleet,
  { clock, subject, notes }: Pick<Sight, 'subject' | 'notes'> & { clock: Pick<Clock, 'now'> },
): PlanView {
  const { machines: planned, ...plan } = fleetPlanNaming(machines, nameOf);
  return {
    kind: 'plan',
    now: clock.now(),
    subject,
    madeAt,
    ...plan,
    machines: planned.map(({ verdict, cluster, node, heldBy, ...named }) => ({
      ...nameOf(named),
      verdict,
      ...(cluster !== undefined && { cluster }),
      ...(node !== undefined && { node }),
      heldBy,
    })),
    ...(problem !== undefined && { problem }),
    notes,
    unread,
  };
}

/** As the page addresses a Machine that was judged. */
export const nameOf = ({
  apiVersion,
  namespace,
  name,
}: Pick<JudgedMachine, 'apiVersion' | 'namespace' | 'name'>): MachineName => ({
  api: apiNameIn(apiVersion),
  namespace,
  name,
});
