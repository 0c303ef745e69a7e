import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Instant } from '../../time/clock.ts';
import { type ConditionList, conditionsFrom, find, type WantedCondition } from '../conditions.ts';
import { recordAt } from '../fields.ts';

type NodeSaying = Omit<WantedCondition, 'type'>;

/** Of a connection that is down for no longer than this, what was known of a Node still holds. */
const graceMilliseconds = 5 * 60_000;

/**
 * Why nothing can be known of the Nodes of a Cluster, by its own status. Undefined where it tells no reason, or has no
 * status.
 */
export function nodesUnknown(cluster: KubeObject | undefined, now: Instant): NodeSaying | undefined {
  const status = recordAt(cluster, 'status');
  const said = conditionsFrom(recordAt(status, 'v1beta2')['conditions'] ?? status['conditions']);
  const initialized = find(said, 'ControlPlaneInitialized');
  if (initialized === undefined) return undefined;
  if (!isProvisioned(status)) {
    return uninspected('Waiting for Cluster status.initialization.infrastructureProvisioned to be true');
  }
  if (initialized.status !== 'True')
    return uninspected('Waiting for Cluster control plane to be initialized');
  return connectionDown(said, timeOf(initialized.lastTransitionTime), now);
}

const isProvisioned = (status: Readonly<Record<string, unknown>>): boolean =>
  recordAt(status, 'initialization')['infrastructureProvisioned'] === true ||
  status['infrastructureReady'] === true;

const uninspected = (message: string): NodeSaying => ({
  status: 'Unknown',
  reason: 'InspectionFailed',
  message,
});

const failedProbe = /^Remote connection probe failed(?:, probe last succeeded at (\S+))?$/;

/** The grace counts from the last probe that succeeded, and from the start of the control plane. */
function connectionDown(said: ConditionList, initializedAt: Instant, now: Instant): NodeSaying | undefined {
  const probe = find(said, 'RemoteConnectionProbe');
  const failed = probe?.status === 'False' ? failedProbe.exec(String(probe.message)) : null;
  if (failed === null) return undefined;
  const succeededAt = failed[1];
  if (now - Math.max(timeOf(succeededAt), initializedAt) <= graceMilliseconds) return undefined;
  const message = succeededAt === undefined ? '' : `Last successful probe at ${succeededAt}`;
  return { status: 'Unknown', reason: 'ConnectionDown', message };
}

/** What is no time was before all others. */
const timeOf = (text: string | undefined): Instant => Date.parse(String(text)) || 0;
