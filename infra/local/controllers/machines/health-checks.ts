import { ApiError } from '../../kubernetes/objects/cluster.ts';
import { selects } from '../../kubernetes/selectors/label-selector.ts';
import {
  type Condition,
  controllerOf,
  isTerminating,
  keyOf,
  type Node,
  withCondition,
} from '../machinery/objects.ts';
import { type EventFields, recordEvent } from '../machinery/record-event.ts';
import { type World } from '../machinery/world.ts';
import { patchStatus } from '../workloads/replicas.ts';
import { type Machine, openShift } from './apis.ts';
import { type Health, type HealthCheck, healthOf, type Target, unhealthyLimit } from './health.ts';

const resource = 'machinehealthchecks.machine.openshift.io';
const component = 'machinehealthcheck-controller';
const pausedAnnotation = 'cluster.x-k8s.io/paused';

/** Has OpenShift's Machines deleted whose Nodes are out of order for too long, as long as not too many are. */
export function healthChecks(world: World): void {
  const checks = world.informer<HealthCheck>(resource);
  const machines = world.informer<Machine>(openShift.machines);
  const nodes = world.informer<Node>('nodes');

  const queue = world.queue('machine-health-check', (key) => {
    const check = checks.get(key);
    if (check === undefined || check.metadata.annotations?.[pausedAnnotation] !== undefined) return;
    const seen = targetsOf(world, check).map((target) => ({
      target,
      health: healthOf(target, check, world.clock.now()),
    }));
    const next = look(world, check, seen);
    if (next !== undefined) queue.addAt(key, next);
  });
  const lookAtAll = (): void => {
    for (const check of checks.all()) queue.add(keyOf(check));
  };
  checks.onChange(({ key }) => queue.add(key));
  machines.onChange(lookAtAll);
  nodes.onChange(lookAtAll);
}

function targetsOf(world: World, { metadata, spec }: HealthCheck): Target[] {
  const nodes = world.informer<Node>('nodes');
  return [...world.informer<Machine>(openShift.machines).all()]
    .filter((machine) => machine.metadata.namespace === metadata.namespace)
    .filter((machine) => selects(spec?.selector, machine.metadata.labels))
    .map((machine) => {
      const name = machine.status?.nodeRef?.name;
      return { machine, node: name === undefined ? undefined : (nodes.get(name) ?? 'missing') };
    });
}

interface Seen {
  target: Target;
  health: Health;
}

/** Says what it has found and acts on it. The answer is when to look again, undefined without a time. */
function look(world: World, check: HealthCheck, seen: readonly Seen[]): number | undefined {
  const healthy = seen.filter(({ health }) => health.kind === 'healthy').length;
  const counts = { total: seen.length, healthy, most: unhealthyLimit(check, seen.length) };
  const times = seen.flatMap(({ target, health }) => {
    if (health.kind !== 'suspect') return [];
    tellOfSuspect(world, check, target);
    return [health.at];
  });
  writeStatus(world, check, counts);
  if (counts.total - counts.healthy > counts.most) tellOfRestriction(world, check, counts);
  else
    for (const { target, health } of seen) if (health.kind === 'unhealthy') remediate(world, check, target);
  return times.length > 0 ? Math.min(...times) : undefined;
}

interface Counts {
  total: number;
  healthy: number;
  most: number;
}

function tellOfSuspect(world: World, check: HealthCheck, target: Target): void {
  const node = target.machine.status?.nodeRef?.name ?? '';
  const message = `Machine ${targetName(check, target)} has unhealthy node ${node}`;
  recordEvent(world, target.machine, { type: 'Normal', reason: 'DetectedUnhealthy', message, component });
}

const inNumbers = ({ spec }: HealthCheck, { total, healthy }: Counts): string =>
  `(total: ${total}, unhealthy: ${total - healthy}, maxUnhealthy: ${spec?.maxUnhealthy})`;

function tellOfRestriction(world: World, check: HealthCheck, counts: Counts): void {
  const message = `Remediation restricted due to exceeded number of unhealthy machines ${inNumbers(check, counts)}`;
  recordEvent(world, check, { type: 'Warning', reason: 'RemediationRestricted', message, component });
}

function writeStatus(world: World, check: HealthCheck, counts: Counts): void {
  const left = counts.most - (counts.total - counts.healthy);
  const condition = allowance(check, counts, left >= 0);
  patchStatus(world, resource, check, {
    expectedMachines: counts.total,
    currentHealthy: counts.healthy,
    remediationsAllowed: Math.max(0, left),
    conditions: withCondition(check.status?.conditions, condition, world.clock.now()),
  });
}

function allowance(check: HealthCheck, counts: Counts, isAllowed: boolean): Condition {
  const type = 'RemediationAllowed';
  if (isAllowed) return { type, status: 'True' };
  const why = 'the number of not started or unhealthy machines exceeds maxUnhealthy';
  const message = `Remediation is not allowed, ${why} ${inNumbers(check, counts)}`;
  return { type, status: 'False', severity: 'Warning', reason: 'TooManyUnhealthy', message };
}

const strategy = 'machine.openshift.io/remediation-strategy';
const external = 'host.metal3.io/external-remediation';

/** As OpenShift names what it checks: namespace, check, Machine and Node. */
const targetName = ({ metadata }: HealthCheck, { machine }: Target): string =>
  [metadata.namespace, metadata.name, machine.metadata.name, machine.status?.nodeRef?.name ?? ''].join('/');

/** Does what the check asks for about an unhealthy Machine: it is deleted, unless another controller remediates it. */
function remediate(world: World, check: HealthCheck, target: Target): void {
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
