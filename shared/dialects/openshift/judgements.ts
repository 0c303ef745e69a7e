import type { ActuatorRefusal } from '../../actuator/port.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Phase } from '../../machine/phase.ts';
import { isOfFormer } from '../../machine/timestamps.ts';
import { aggregate } from '../../text/truncate.ts';
import { conditionsFrom, find } from '../conditions.ts';
import { recordAt, textAt } from '../fields.ts';
import type { Gate, GatedStep } from '../gate.ts';

const excludeDrain = 'machine.openshift.io/exclude-node-draining';

/** Presence counts: a value of `"false"` excludes too. */
export const isDrainExcluded = (machine: Machine): boolean => excludeDrain in machine.annotations;

/** A drain that is not excluded has no time limit. Only a pre-terminate hook waits for volumes here. */
export function gate(step: GatedStep, machine: Machine): Gate {
  if (step === 'volume-detach') {
    return { allowed: false, passing: 'not-applicable', why: 'the API does not wait for volumes' };
  }
  if (!isDrainExcluded(machine)) return { allowed: true };
  return { allowed: false, passing: 'excluded', why: `Machine has the ${excludeDrain} annotation` };
}

/** The type of the condition that says so. */
export const drainedType = 'Drained';

const drainedIn = ({ raw }: Machine) =>
  find(conditionsFrom(recordAt(raw, 'status')['conditions']), drainedType);

/** The Machine's own word: once true, the Node is never asked again. */
export function isDrained(machine: Machine): boolean {
  const shown = drainedIn(machine);
  return shown?.status === 'True' && !isOfFormer(machine, shown.lastTransitionTime);
}

/** The same, also where it is the word of an earlier Machine of the name. The API's own controllers go by any. */
export const saysDrained = (machine: Machine): boolean => drainedIn(machine)?.status === 'True';

/** So a deletion that another controller began, or whose checkpoint was lost, is not drained twice. */
export const isDone = (machine: Machine, phase: Phase): boolean =>
  (phase === 'pre-drain' || phase === 'drain') && isDrained(machine);

const clusterLabel = 'machine.openshift.io/cluster-api-cluster';

/**
 * What the API demands of every Machine and this one lacks, in the words of its own controller. Such a Machine is
 * not touched, not even to delete it.
 */
export function invalidity(machine: Machine): string | undefined {
  const errors = [...clusterLabelErrors(machine), ...providerSpecErrors(machine)];
  return errors.length === 0 ? undefined : aggregate(errors);
}

function clusterLabelErrors({ labels, raw }: Machine): string[] {
  if (labels[clusterLabel]) return [];
  const found = asJson(raw.metadata.labels);
  return [`spec.labels: Invalid value: ${found}: missing ${clusterLabel} label.`];
}

function providerSpecErrors({ raw }: Machine): string[] {
  const value = recordAt(raw, 'spec', 'providerSpec')['value'];
  if (value !== undefined && value !== null) return [];
  return ['spec.spec.providerspec: Invalid value: {}: value field must be set'];
}

/** Sorted by key, as the peer shows them. */
const asJson = (labels: Record<string, string> | undefined): string =>
  labels === undefined ? 'null' : JSON.stringify(labels, Object.keys(labels).toSorted());

/**
 * A Machine that never had an address, and that its provider could never make, has no server to wait for. With an
 * address there was one, however its configuration was spoilt since.
 */
export const forgives = ({ raw }: Machine, refusal: ActuatorRefusal): boolean =>
  refusal.kind === 'failed' && refusal.reason === 'InvalidConfiguration' && !hasAddresses(raw);

function hasAddresses(raw: Machine['raw']): boolean {
  const { addresses } = recordAt(raw, 'status');
  return Array.isArray(addresses) && addresses.length > 0;
}

/**
 * Which API rules the Machine, while it can be moved to Cluster API; undefined where that cannot be. A status that
 * has not been written yet is going to say what the spec says.
 */
export const authorityOf = ({ raw }: Machine): string | undefined =>
  textAt(raw, 'status', 'authoritativeAPI') ?? textAt(raw, 'spec', 'authoritativeAPI');

export const isRuledHere = (authority: string): boolean => authority === 'MachineAPI';

/** Whether no other API rules it, and none is about to. The API carries a change of the spec out later. */
export const isRuledHereToStay = ({ raw }: Machine): boolean =>
  [textAt(raw, 'status', 'authoritativeAPI'), textAt(raw, 'spec', 'authoritativeAPI')].every(
    (authority) => authority === undefined || isRuledHere(authority),
  );

/** The condition's message, for either answer. */
export const authorityMessage = (authority: string): string =>
  `The AuthoritativeAPI status is set to '${authority}'`;

/** The API, or the move to it, that rules a Machine in place of OpenShift's. Undefined where OpenShift rules it. */
export function ruledElsewhereBy({ spec, status }: KubeObject): string | undefined {
  const authority = textAt(status, 'authoritativeAPI') ?? textAt(spec, 'authoritativeAPI');
  return authority === undefined || isRuledHere(authority) ? undefined : authority;
}

/** A Machine that Cluster API rules, or will, is nothing to act on here. */
export function pausedBy(machine: Machine): string[] {
  const authority = authorityOf(machine);
  return authority === undefined || isRuledHere(authority) ? [] : [authorityMessage(authority)];
}
