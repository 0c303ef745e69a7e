import { podName } from '../kubernetes/objects.ts';
import { rfc3339Seconds } from '../time/clock.ts';
import { actionWords, type BlockedAction, type Ruling } from './entry.ts';
import type { Prospect } from './prospect.ts';
import type { DeploymentRef } from './rollout.ts';

/** `DrainPolicy workers`. */
const policyText = ({ policy }: Pick<Ruling, 'policy'>): string => `DrainPolicy ${policy}`;

const deploymentText = ({ namespace, name }: DeploymentRef): string => `Deployment ${namespace}/${name}`;

/** What an action does to a Pod, in the midst of a line. */
const doneTo: Readonly<Record<BlockedAction, string>> = {
  RolloutRestart: 'its Deployment is restarted',
  Delete: 'it is deleted past its budget',
};

/** A line of a drain's message for a Pod that is not let go. It names no time that passes, so it stays the same. */
export function prospectText(prospect: Prospect): string {
  return `Pod ${podName(prospect.pod)}: ${outlookText(prospect)} (${policyText(prospect)}, ${prospect.lasting.cause})`;
}

/** What `outlookText` says where something is done by itself, at its time or now. */
const acting = [
  /^at (?!.*; it would not be done now: )/,
  /^\S.* was restarted, and its new Pod comes up /,
  / is rolled out just now, which is waited for /,
  /^it(?:s Deployment)? is (?:restarted|deleted past its budget)(?: now)? \(/,
];

/** The DrainPolicy that acts on a Pod by such a line, without the Pod; undefined where somebody else has to. */
export function actingPolicy(line: string): string | undefined {
  const [, policy] = /\(DrainPolicy (\S+), \w+\)$/.exec(line) ?? [];
  return acting.some((text) => text.test(line)) ? policy : undefined;
}

/** The same before the Machine is deleted: then the time counts from the first refusal. */
export function foretoldText({ entry, outlook, policy, lasting }: Prospect): string {
  const unmet = outlook.kind === 'later' ? outlook.unmet : [];
  const when = `once ${lasting.cause} has kept it for ${entry.after} s`;
  const granted = `if PHASEOUT_ACTIONS has ${actionWords[entry.action]}`;
  return `${doneTo[entry.action]} ${when}, ${granted}${laterText(unmet)} (${policyText({ policy })})`;
}

/** Where the action stands, in the midst of a line. */
export function outlookText({ entry, at, outlook }: Prospect): string {
  const what = doneTo[entry.action];
  switch (outlook.kind) {
    case 'later':
      return `at ${rfc3339Seconds(at)} ${what}, if nothing lets it go before${laterText(outlook.unmet)}`;
    case 'not-granted':
      return `${what.replace(' is ', ' is not ')}: PHASEOUT_ACTIONS does not have ${actionWords[entry.action]}`;
    case 'tried':
      return outlook.outcome.kind === 'done' ? what : `${what} later: ${outlook.outcome.why}`;
    case 'running':
      return outlook.isOurs
        ? `${deploymentText(outlook.deployment)} was restarted, and its new Pod comes up`
        : `${deploymentText(outlook.deployment)} is rolled out just now, which is waited for`;
    case 'failed':
      return `${deploymentText(outlook.deployment)} was restarted, and did not come up in time: this is not tried again`;
    case 'done':
      return `${deploymentText(outlook.deployment)} was restarted, and this Pod is still here`;
    case 'unmet':
      return `its Deployment is not restarted: ${outlook.why.join('; ')}`;
    default:
      return `${what} now`;
  }
}

const laterText = (unmet: readonly string[]): string =>
  unmet.length === 0 ? '' : `; it would not be done now: ${unmet.join('; ')}`;

/** What is done now, for the history: with policy, cause, and how long that had to last. */
export const dueText = (prospect: Prospect): string => actionText(prospect, ['Restarting', 'Deleting']);

/** The same of what was done, for facts and Events. */
export const actedText = (prospect: Prospect): string => actionText(prospect, ['Restarted', 'Deleted']);

function actionText(
  { pod, outlook, lasting, entry, policy }: Prospect,
  [restarts, deletes]: readonly [string, string],
): string {
  const what =
    outlook.kind === 'ready'
      ? `${restarts} ${deploymentText(outlook.deployment)}, so that Pod ${podName(pod)} moves`
      : `${deletes} Pod ${podName(pod)} past its budget`;
  const since = rfc3339Seconds(lasting.since);
  return `${what}: ${lasting.cause} since ${since}, for ${entry.after} s and more (${policyText({ policy })})`;
}
