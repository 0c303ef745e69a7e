import type { Instant } from '../../../../shared/time/clock.ts';
import { conditionOf, isTerminating } from '../machinery/objects.ts';
import { clusterApi, type Machine, type MachineApi, openShift } from './apis.ts';

/** How early a Machine goes when its set becomes smaller: from 100, the first, to 0. */
export type DeletePriority = (machine: Machine, now: Instant) => number;

/** What a Machine API says of the order; the policies of the three share names and little else. */
export interface DeletePolicies {
  /** Undefined when it does not know the policy. Without one it is Random, in which nothing is left to chance. */
  priority(policy: string | undefined): DeletePriority | undefined;
  /** What that API's controller says of a policy it does not know. */
  unsupported(policy: string): string;
}

type Priorities = Record<'Random' | 'Oldest' | 'Newest', DeletePriority>;

function policies(priorities: Priorities, unsupported: DeletePolicies['unsupported']): DeletePolicies {
  const byName = new Map<string, DeletePriority>(Object.entries(priorities));
  return { priority: (policy) => byName.get(policy || 'Random'), unsupported };
}

const tenDays = 864_000;
const hundredDays = 8_640_000;

/** How much of its life a Machine has behind it, from 0 to 1: two thirds after so many seconds. */
function aged({ metadata }: Machine, now: Instant, seconds: number): number {
  const age = (now - Date.parse(metadata.creationTimestamp ?? '')) / 1000;
  return age > 0 ? 1 - Math.exp(-age / seconds) : 0;
}

const hasAnnotation = ({ metadata }: Machine, ...names: string[]): boolean =>
  names.some((name) => metadata.annotations?.[name] !== undefined);
const hasFilledAnnotation = ({ metadata }: Machine, ...names: string[]): boolean =>
  names.some((name) => (metadata.annotations?.[name] ?? '') !== '');

const hasNode = ({ status }: Machine): boolean => status?.nodeRef !== undefined;

const hasFailed = ({ status }: Machine): boolean =>
  status?.errorReason !== undefined || status?.errorMessage !== undefined;

function isHealthy(machine: Machine): boolean {
  const lists = [machine.status?.conditions, machine.status?.v1beta2?.conditions];
  const isFalse = (type: string): boolean =>
    lists.some((list) => conditionOf(list, type)?.status === 'False');
  return hasNode(machine) && !isFalse('NodeHealthy') && !isFalse('HealthCheckSucceeded');
}

/** Cluster API: marks and health come before what the policy says. The mark counts with any value. */
function afterHealth(byPolicy: DeletePriority): DeletePriority {
  return (machine, now) => {
    if (isTerminating(machine)) return 100;
    if (hasAnnotation(machine, 'cluster.x-k8s.io/delete-machine')) return 80;
    if (hasAnnotation(machine, 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress')) return 75;
    return isHealthy(machine) ? byPolicy(machine, now) : 50;
  };
}

export const clusterApiPolicies = policies(
  {
    Random: afterHealth(() => 20),
    Oldest: afterHealth((machine, now) => 50 * aged(machine, now, tenDays)),
    Newest: afterHealth((machine, now) => 50 - 50 * aged(machine, now, tenDays)),
  },
  (policy) => `Unsupported deletion order ${policy}. Must be one of 'Random', 'Newest', or 'Oldest'`,
);

const isMarkedInOpenShift = (machine: Machine): boolean =>
  hasFilledAnnotation(
    machine,
    'machine.openshift.io/delete-machine',
    'machine.openshift.io/cluster-api-delete-machine',
  );

const isMarkedInV1alpha1 = (machine: Machine): boolean =>
  hasFilledAnnotation(machine, 'cluster.k8s.io/delete-machine');

/** Age decides only between Machines that nothing else speaks against. */
function unlessChosen(isMarked: (machine: Machine) => boolean, byAge: DeletePriority): DeletePriority {
  return (machine, now) =>
    isTerminating(machine) || isMarked(machine) || hasFailed(machine) ? 100 : byAge(machine, now);
}

/** OpenShift: without a Node a Machine runs nothing, so under Random it goes before those with one. */
export const openShiftPolicies = policies(
  {
    Random: (machine) => {
      if (isTerminating(machine)) return 100;
      if (isMarkedInOpenShift(machine) || hasFailed(machine)) return 50;
      return hasNode(machine) ? 20 : 40;
    },
    Oldest: unlessChosen(isMarkedInOpenShift, (machine, now) => 50 * aged(machine, now, hundredDays)),
    Newest: unlessChosen(isMarkedInOpenShift, (machine, now) => 100 - 50 * aged(machine, now, hundredDays)),
  },
  (policy) => `unsupported delete policy ${policy}, must be one of 'Random', 'Newest', or 'Oldest'`,
);

export const v1alpha1Policies = policies(
  {
    Random: (machine) => {
      if (isTerminating(machine)) return 100;
      return isMarkedInV1alpha1(machine) || hasFailed(machine) ? 50 : 20;
    },
    Oldest: unlessChosen(isMarkedInV1alpha1, (machine, now) => 100 * aged(machine, now, tenDays)),
    Newest: unlessChosen(isMarkedInV1alpha1, (machine, now) => 100 - 100 * aged(machine, now, tenDays)),
  },
  (policy) => `Unsupported delete policy ${policy}. Must be one of 'Random', 'Newest', or 'Oldest'`,
);

export function policiesOf(api: MachineApi): DeletePolicies {
  if (api === clusterApi) return clusterApiPolicies;
  return api === openShift ? openShiftPolicies : v1alpha1Policies;
}

/**
 * The Machines that go when `count` have to: the highest priority first. Equals go by name, as in Cluster API; the
 * other two leave that to chance.
 */
export function firstToGo(
  machines: readonly Machine[],
  count: number,
  { priorityOf, now }: { priorityOf: DeletePriority; now: Instant },
): Machine[] {
  return machines
    .map((machine) => ({ machine, name: machine.metadata.name, priority: priorityOf(machine, now) }))
    .toSorted((one, other) => other.priority - one.priority || (one.name < other.name ? -1 : 1))
    .slice(0, Math.max(0, count))
    .map(({ machine }) => machine);
}
