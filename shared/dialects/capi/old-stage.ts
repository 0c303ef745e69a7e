import type { Condition } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Phase } from '../../machine/phase.ts';
import { rfc3339Seconds } from '../../time/clock.ts';
import { type ConditionList, find } from '../conditions.ts';
import type { PeerStage } from '../peer-stage.ts';

/**
 * Cluster API 1.0 to 1.8 has no condition for the deletion, and no `status.deletion`. It has one condition for each of these
 * phases: False while the phase lasts, True once it is done. A phase that is given up stays False.
 */
const steps = [
  { phase: 'pre-drain', type: 'PreDrainDeleteHookSucceeded', next: 'drain' },
  { phase: 'drain', type: 'DrainingSucceeded', next: 'volume-detach' },
  { phase: 'volume-detach', type: 'VolumeDetachSucceeded', next: 'pre-terminate' },
  { phase: 'pre-terminate', type: 'PreTerminateDeleteHookSucceeded', next: 'infrastructure' },
] as const;

type Step = (typeof steps)[number] & { shown: Condition };

/** Where the controller of such a release is, by its conditions of v1beta1. Undefined where they tell nothing. */
export function oldStage(machine: Machine, conditions: ConditionList): PeerStage | undefined {
  const begun = stepsIn(conditions);
  const last = begun.at(-1);
  if (last === undefined) return undefined;
  const waiting = begun.find((step, at) => isWaitedFor(step, begun.slice(at + 1)));
  if (waiting !== undefined)
    return { phase: waiting.phase, message: waiting.shown.message ?? '', ...sinceOf(waiting.shown) };
  return last.phase === 'pre-terminate'
    ? afterHooks(machine, conditions, last.shown)
    : { phase: last.next, message: '', ...sinceOf(last.shown) };
}

/** When its phases began: the drain and the wait for volumes count their time limits from there, too. */
export const oldStartTimes = (conditions: ConditionList): Partial<Record<Phase, string>> =>
  Object.fromEntries(
    stepsIn(conditions).flatMap(({ phase, shown }) => {
      const { since } = sinceOf(shown);
      return shown.status === 'False' && since !== undefined ? [[phase, since]] : [];
    }),
  );

const stepsIn = (conditions: ConditionList): Step[] =>
  steps.flatMap((step) => {
    const shown = find(conditions, step.type);
    return shown === undefined ? [] : [{ ...step, shown }];
  });

/** A late hook, or a drain that fails again, is newer than all that comes after it. What was given up is older. */
const isWaitedFor = ({ shown }: Step, later: readonly Step[]): boolean =>
  shown.status === 'False' && later.every((step) => timeOf(step.shown) < timeOf(shown));

/** Its objects go one after the other. Providers may say False of their own: what is gone is `Deleted`. */
function afterHooks(machine: Machine, conditions: ConditionList, hooks: Condition): PeerStage {
  const infrastructure = deleted(conditions, 'InfrastructureReady');
  if (infrastructure === undefined) return { phase: 'infrastructure', message: '', ...sinceOf(hooks) };
  const bootstrap = deleted(conditions, 'BootstrapReady');
  if (bootstrap === undefined && machine.bootstrap !== undefined)
    return { phase: 'bootstrap', message: '', ...sinceOf(infrastructure) };
  const isFailed = find(conditions, 'NodeHealthy')?.reason === 'DeletionFailed';
  const message = isFailed ? 'Its own controller could not delete the Node: see the log of it' : '';
  return { phase: 'node', message, ...sinceOf(bootstrap ?? infrastructure) };
}

function deleted(conditions: ConditionList, type: string): Condition | undefined {
  const shown = find(conditions, type);
  return shown?.status === 'False' && shown.reason === 'Deleted' ? shown : undefined;
}

const timeOf = ({ lastTransitionTime }: Condition): number => Date.parse(String(lastTransitionTime)) || 0;

function sinceOf(shown: Condition): { since?: string } {
  const time = timeOf(shown);
  return time === 0 ? {} : { since: rfc3339Seconds(time) };
}
