import { ApiError } from '../../kubernetes/objects/cluster.ts';
import { type EventFields, recordEvent } from '../machinery/events.ts';
import { controllerOf, isTerminating } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { openShift } from './apis.ts';
import type { HealthCheck, Target } from './health.ts';

const strategy = 'machine.openshift.io/remediation-strategy';
const external = 'host.metal3.io/external-remediation';
const component = 'machinehealthcheck-controller';

/** As OpenShift names what it checks: namespace, check, Machine and Node. */
export const targetName = ({ metadata }: HealthCheck, { machine }: Target): string =>
  [metadata.namespace, metadata.name, machine.metadata.name, machine.status?.nodeRef?.name ?? ''].join('/');

/** Does what the check asks for about an unhealthy Machine: it is deleted, unless another controller remediates it. */
export function remediate(world: World, check: HealthCheck, target: Target): void {
  const { machine } = target;
  const tell = (type: EventFields['type'], reason: string, text: string): void => {
    const message = text.replace('{}', targetName(check, target));
    recordEvent(world, machine, { type, reason, message, component });
  };
  // What a remediation template makes is the business of its own controller, and there is none here.
  if (check.spec?.remediationTemplate !== undefined) return;
  if (isMendedElsewhere(check, target)) {
    if (machine.metadata.annotations?.[external] !== undefined) return;
    world.patch(openShift.machines, machine, { metadata: { annotations: { [external]: '' } } });
    tell(
      'Normal',
      'ExternalAnnotationAdded',
      'Requesting external remediation of node associated with machine {}',
    );
    return;
  }
  if (controllerOf(machine) === undefined) {
    tell('Normal', 'SkippedNoController', 'Machine {} has no controller owner, skipping remediation');
    return;
  }
  if (isTerminating(machine)) return;
  try {
    world.remove(openShift.machines, machine);
  } catch (error) {
    const why = error instanceof ApiError ? error.message : String(error);
    tell(
      'Warning',
      'MachineDeletionFailed',
      `Machine {} remediation failed: unable to delete Machine object: ${why}`,
    );
    throw error;
  }
  tell('Normal', 'MachineDeleted', 'Machine {} has been remediated by requesting to delete Machine object');
}

/** No remediation helps a Machine that has failed for good. */
const isMendedElsewhere = ({ metadata }: HealthCheck, { machine }: Target): boolean =>
  metadata.annotations?.[strategy] === 'external-baremetal' && machine.status?.phase !== 'Failed';
