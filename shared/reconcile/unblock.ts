import type { Prospect, Tried } from '../blocked/prospect.ts';
import {
  type DeploymentRef,
  judgeRollout,
  type RolloutVerdict,
  restartedForAnnotation,
  restartedForText,
} from '../blocked/rollout.ts';
import { actedText, outlookText } from '../blocked/words.ts';
import type { DeleteOutcome, WorkloadCluster, WriteOutcome } from '../kubernetes/client.ts';
import { type Pod, podName, uidOf } from '../kubernetes/objects.ts';
import { deployments, pods } from '../kubernetes/resources.ts';
import type { Fact } from '../machine/messages.ts';
import type { MachineEvent } from '../machine/report.ts';
import { normal } from '../machine/report.ts';
import { readRollout } from '../observe/rollout.ts';
import type { Effect } from '../phase/decision.ts';
import { rfc3339Seconds } from '../time/clock.ts';
import { writeEventThere } from '../write/events.ts';
import type { EffectContext } from './step.ts';

/** Restarts Deployments and deletes Pods, as DrainPolicies say. Nothing is done that `PHASEOUT_ACTIONS` does not grant. */
export async function unblock(
  { prospects }: Effect & { kind: 'unblock' },
  context: EffectContext,
): Promise<Fact[]> {
  const { actions } = context.env.settings;
  const granted = prospects.filter(({ entry }) => actions.has(entry.action));
  const facts = await Promise.all(granted.map((prospect) => unblockOne(prospect, context)));
  return facts.flat();
}

async function unblockOne(prospect: Prospect, context: EffectContext): Promise<Fact[]> {
  const { env, snapshot, subject } = context;
  const workload = await context.workload();
  const { pod, entry } = prospect;
  const done =
    entry.action === 'Delete'
      ? await deletePod(pod, workload, context)
      : await restart(prospect, workload, context);
  // A restart shows in the Deployment, as the next look of this step finds it.
  if (done.kind === 'failed' || entry.action === 'Delete') snapshot.recordTried(uidOf(pod), done);
  const about = { Pod: podName(pod), action: entry.action, policy: prospect.policy };
  env.metrics.count('blockedActions', {
    machine_api: subject.dialect.name,
    action: entry.action,
    cause: prospect.lasting.cause,
    outcome: done.kind,
  });
  if (done.kind === 'failed') {
    env.log.info('Nothing was done about a Pod that is not let go', { ...about, why: done.why });
    return [];
  }
  env.log.info('Acted on a Pod that is not let go', about);
  return [factOf(prospect, context)];
}

/** A Pod keeps its own grace period, and no other Pod of its name is meant. */
async function deletePod(pod: Pod, workload: WorkloadCluster, { snapshot }: EffectContext): Promise<Tried> {
  const { namespace = '', name } = pod.metadata;
  const key = { namespace, name };
  const uid = uidOf(pod);
  const outcome: DeleteOutcome = await workload.delete(pods, key, uid);
  snapshot.recordDeletion({ side: 'workload', resource: pods, key, uid }, outcome);
  snapshot.forgetPods();
  return outcome.kind === 'refused' ? { kind: 'failed', why: outcome.message } : { kind: 'done' };
}

/**
 * Reads all conditions once more right before the patch. Its resourceVersion makes the API server refuse it if the Deployment
 * has changed since. Another instance may have restarted it.
 */
async function restart(
  prospect: Prospect,
  workload: WorkloadCluster,
  { env, subject, snapshot }: EffectContext,
): Promise<Tried> {
  const { uid: machineUid } = subject.machine.ref;
  const { pod, entry } = prospect;
  const seen = await readRollout((resource, key) => workload.get(resource, key), pod);
  const verdict = judgeRollout(seen, { machineUid, maxReplicas: entry.maxReplicas });
  if (verdict.kind !== 'ready') return { kind: 'failed', why: whyNot(prospect, verdict) };
  const { namespace, name } = verdict.deployment;
  const patch = restartOf(verdict.deployment, machineUid, rfc3339Seconds(env.clock.now()));
  const key = { namespace, name };
  const age = env.clock.stopwatch();
  const outcome = await workload.mergePatch(deployments, key, patch);
  snapshot.recordWrite({ side: 'workload', resource: deployments, key }, outcome, age);
  if (outcome.kind !== 'written') return { kind: 'failed', why: refusedText(outcome) };
  const event: MachineEvent = {
    ...normal('RolloutRestarted', actedText(prospect)),
    about: aboutIt(verdict.deployment),
  };
  await writeEventThere(env, workload, { subject, event, namespace });
  return { kind: 'done' };
}

const whyNot = (prospect: Prospect, verdict: RolloutVerdict): string =>
  outlookText({ ...prospect, outlook: verdict });

const refusedText = (outcome: Exclude<WriteOutcome, { kind: 'written' }>): string =>
  outcome.kind === 'gone' ? 'the Deployment is gone' : outcome.message;

const aboutIt = ({ name, uid }: DeploymentRef) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name, uid });

/** As `kubectl rollout restart` does it. The same patch says for which Machine: so it is done once. */
function restartOf(deployment: DeploymentRef, machineUid: string, at: string): object {
  const { uid, resourceVersion } = deployment;
  const annotations = { [restartedForAnnotation]: restartedForText(deployment, machineUid) };
  return {
    metadata: { uid, resourceVersion, annotations },
    spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': at } } } },
  };
}

function factOf(prospect: Prospect, { subject: { machine, checkpoint } }: EffectContext): Fact {
  const { pod, entry, policy, lasting, outlook } = prospect;
  const { namespace = '', name } = pod.metadata;
  return {
    kind: 'pod-unblocked',
    machine: machine.ref,
    phase: checkpoint.phase,
    seq: checkpoint.seq,
    pod: { namespace, name, uid: uidOf(pod) },
    action: entry.action,
    policy,
    cause: lasting.cause,
    since: rfc3339Seconds(lasting.since),
    message: actedText(prospect),
    ...(outlook.kind === 'ready' && { deployment: outlook.deployment.name }),
  };
}

/** The Events of what was done, on the Machine. */
export const eventsOfActions = (facts: readonly Fact[]): MachineEvent[] =>
  facts.flatMap((fact) =>
    fact.kind === 'pod-unblocked'
      ? [normal(fact.action === 'Delete' ? 'PodDeleted' : 'RolloutRestarted', fact.message)]
      : [],
  );
