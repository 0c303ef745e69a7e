import type { HookPoint } from '../dialects/dialect.ts';
import type { Fact, HookOwners } from '../machine/messages.ts';
import type { Reason } from '../machine/reason.ts';
import { withRemarks } from '../machine/remarks.ts';
import type { Report } from '../machine/report.ts';
import { cut } from '../text/truncate.ts';
import type { Step } from './step.ts';

const hookPoints: Partial<Record<Reason, HookPoint>> = {
  WaitingForPreDrainHook: 'pre-drain',
  WaitingForPreTerminateHook: 'pre-terminate',
};

/** The facts that tell of a wait: a hook, a failure, or what blocks the deletion. */
export function waiting(step: Step, report: Report): Fact[] {
  const { machine, checkpoint, dialect } = step.arrived.subject;
  const about = { machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  const { reason, error } = report;
  const message = withRemarks(report);
  const point = hookPoints[reason];
  if (point !== undefined) {
    const hooks = dialect.hooks(machine, point);
    return [{ ...about, kind: 'hook-waiting', point, hooks, owners: ownersOf(hooks, step, point) }];
  }
  if (error !== undefined) return [{ ...about, kind: 'failed', reason, message, error }];
  return [{ ...about, kind: 'blocked', reason, message }];
}

/** What OpenShift allows; in Cluster API it is whatever the annotation says. */
const longestOwner = 512;

function ownersOf(hooks: readonly string[], { arrived }: Step, point: HookPoint): HookOwners {
  const { machine, dialect } = arrived.subject;
  return Object.fromEntries(
    hooks.flatMap((name) => {
      const owner = dialect.hookOwner(machine, point, name);
      return owner === undefined ? [] : [[name, cut(owner, longestOwner)]];
    }),
  );
}
