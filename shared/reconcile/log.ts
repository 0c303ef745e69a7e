import type { NodeDeletion } from '../dialects/gate.ts';
import type { PodTally } from '../drain/summary.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Phase } from '../machine/phase.ts';
import type { Conclusion, Decision } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import { listOf } from '../text/truncate.ts';
import { goDuration } from '../time/duration.ts';
import { noWakeUps } from '../wake-ups/wake-ups.ts';
import type { Step } from './step.ts';

const shownPods = 5;

/** The lists of these keys that hold any Pod. */
function shown(pods: PodTally, keys: readonly (keyof PodTally)[]): Record<string, string> {
  const filled = keys.filter((key) => pods[key].length > 0);
  return Object.fromEntries(filled.map((key) => [key, listOf(pods[key], shownPods)]));
}

const later = ['podsToTriggerEvictionLater', 'podsToWaitCompletedNow', 'podsToWaitCompletedLater'] as const;

/** Logs what a drain is about to do, in the words of Cluster API's log. */
export function logActing({ env }: Step, { drain }: Decision & { kind: 'act' }): void {
  if (drain === undefined) return;
  const { node: Node, pods } = drain;
  env.log.info('Draining Node', { Node });
  env.log.info('Drain not completed yet, there are still Pods on the Node that have to be drained', {
    Node,
    ...shown(pods, ['podsToTriggerEvictionNow', 'podsWithDeletionTimestamp', ...later]),
  });
}

/** Logs what a step came to. */
export function logConcluded(step: Step, decision: Conclusion, subject = step.arrived.subject): void {
  const { env } = step;
  if (decision.kind === 'wait') logWait(step, decision);
  else if (decision.kind === 'advance') logPassed(step, decision, subject);
  else if (decision.kind === 'release') env.log.info('Deletion completed');
  else if (decision.kind === 'hand-over')
    env.log.info('Handed over', {
      message: decision.report.message,
      excluded: decision.exclusions.join(', '),
    });
  else if (decision.kind === 'ignore') env.log.debug('Nothing to do', { why: decision.why });
  else env.log.info('Returning to phase', { to: decision.to, message: decision.message });
}

function logPassed(
  { env, snapshot }: Step,
  { passing, message }: Conclusion & { kind: 'advance' },
  { machine, checkpoint }: Subject,
): void {
  if (checkpoint.phase === 'drain' && passing === 'done') {
    const rest = snapshot.answers.size === 0 ? '' : ', remaining Pods on the Node have been evicted';
    const { ownership } = snapshot.observed;
    const Node = ownership?.kind === 'own' ? ownership.name : machine.nodeName;
    env.log.info(`Drain completed${rest}`, { Node });
  }
  env.log.info('Phase passed', { as: passing, message });
}

/** Logs the phases that a checkpoint skips, by outcome. Adds why the Node is left alone, if that is the cause. */
export function logSkipped(
  { log }: Environment,
  passed: Checkpoint['passed'],
  skipped: readonly Phase[],
  nodeDeletion: NodeDeletion,
): void {
  for (const [as, phases] of Map.groupBy(skipped, (phase) => passed[phase]?.as)) {
    const why = as !== 'not-applicable' || nodeDeletion.allowed ? {} : { message: nodeDeletion.why };
    log.info('Phases passed over', { phases: phases.join(', '), as, ...why });
  }
}

function logWait({ env }: Step, wait: Conclusion & { kind: 'wait' }): void {
  const { reason, message, error, detail = error } = wait.report;
  const again = goDuration(millisecondsOf(wait, env));
  if (error !== undefined) {
    env.log.warn('Deletion is held up', { reason, message, error: detail, again });
  } else if (wait.drain === undefined) {
    env.log.info('Deletion waits', { reason, message, again });
  } else {
    const { node: Node, pods } = wait.drain;
    env.log.info(`Drain not completed yet, requeuing in ${again}`, {
      Node,
      ...shown(pods, ['podsFailedEviction', 'podsWithDeletionTimestamp', ...later]),
    });
  }
}

/** Time until the next look, if no watch ends the wait before. Without wake-ups only the sweep looks. */
function millisecondsOf(
  { until, requeueAfterSeconds }: Conclusion & { kind: 'wait' },
  env: Environment,
): number {
  const longest = requeueAfterSeconds * 1_000;
  if (env.wakeUps === noWakeUps) return longest;
  const now = env.clock.now();
  const times = until.flatMap((end) => (end.kind === 'time' ? [Math.max(0, end.at - now)] : []));
  return Math.min(longest, ...times);
}
