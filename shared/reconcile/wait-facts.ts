import type { HookPoint } from '../dialects/dialect.ts';
import { hookOwners } from '../dialects/hook-owners.ts';
import type { Fact } from '../machine/messages.ts';
import type { Reason } from '../machine/reason.ts';
import { type Report, withRemarks } from '../machine/report.ts';
import type { Step } from './step.ts';

const hookPoints: Partial<Record<Reason, HookPoint>> = {
  WaitingForPreDrainHook: 'pre-drain',
  WaitingForPreTerminateHook: 'pre-terminate',
};

/** The facts that tell of a wait: a hook, a failure, or what blocks the deletion. */
export function waitFacts(step: Step, report: Report): Fact[] {
  const { machine, checkpoint, dialect } = step.arrived.subject;
  const about = { machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  const { reason, error } = report;
  const message = withRemarks(report);
  const point = hookPoints[reason];
  if (point !== undefined) {
    const hooks = dialect.hooks(machine, point);
    return [
      { ...about, kind: 'hook-waiting', point, hooks, owners: hookOwners(hooks, machine, dialect, point) },
    ];
  }
  if (error !== undefined) return [{ ...about, kind: 'failed', reason, message, error }];
  return [{ ...about, kind: 'blocked', reason, message }];
}
