import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { configVariables } from '../../../shared/runtime/config-variables.ts';
import { management } from '../platform/clusters.ts';
import { usualTicks } from '../platform/declared.ts';
import type { MachinePlan, Scenario } from '../scenario/model.ts';
import type { World } from '../world.ts';
import {
  budgetsIn,
  clustersIn,
  deploymentsIn,
  functionsIn,
  namespacesIn,
  policiesIn,
  rulesIn,
  volumesIn,
} from './surroundings.ts';
import { machineTraits, podTraits } from './traits.ts';

/** Who is there at the beginning: each Machine with its Pods, and all that speaks on what becomes of them. */
export function cast(world: World, { machines, others = [], world: parts, calmAt }: Scenario): string {
  const { instances, workloads, version = 'v1beta2', latencyMilliseconds } = parts;
  const hosts = [management, ...workloads];
  const rules = rulesIn(world.management);
  const lines = [
    `${counted(instances, 'instance')} of phaseout; steps take up to ${latencyMilliseconds} ms`,
    'instance-N is a process of phaseout, source-N an adapter that watches Machines and sends events of them;',
    '  whoever begins later has a new number; in brackets: the fault that strikes, whom, and in which phase',
    ...habits(parts),
    `clusters: ${hosts.join(', ')} (Cluster API in ${version})`,
    `0.000 is ${new Date(world.now()).toISOString()}; things go wrong until ${(calmAt / 1_000).toFixed(3)}`,
    ...machines.flatMap((plan) => [machineLine(world, plan), ...podLines(world, plan)]),
    ...others.map((plan) => `${machineLine(world, plan)}; phaseout is not there for it`),
    ...clustersIn(world.management),
    ...functionsIn(world),
    ...rules,
    ...policiesIn(world.management),
    ...(rules.length === 0 ? [] : hosts.flatMap((host) => namespacesIn(world, host))),
    ...hosts.flatMap((host) => [
      ...deploymentsIn(world, host),
      ...budgetsIn(world, host),
      ...volumesIn(world, host),
    ]),
  ];
  return lines.map((line) => `  ${line}\n`).join('');
}

/** How phaseout runs, where worlds differ. */
function habits({ services = 1, config, dueSeconds, allMinutes }: Scenario['world']): string[] {
  const due = `every ${dueSeconds ?? usualTicks.dueSeconds} s`;
  const rest = config.duePingSource === undefined ? '' : ', unless nothing is being deleted';
  const set = Object.entries(config).map(settingOf);
  const all = `every ${allMinutes ?? usualTicks.allMinutes} min`;
  return [
    ...(services === 1
      ? []
      : [`its functions are parted among ${services} Services, each with instances of its own`]),
    `ticks ask for what is due ${due}${rest}, and for everything ${all}`,
    ...(set.length === 0 ? [] : [`configured: ${set.join(' ')}`]),
  ];
}

/** In the words of its configuration. */
const settingOf = ([field, value]: [string, unknown]): string =>
  `${Object.entries(configVariables).find(([name]) => name === field)?.[1].name ?? field}=${valueText(value)}`;

/** Modes are given for each API, actions as a set. */
const valueText = (value: unknown): string =>
  value instanceof Set ? [...value].join(',') : recordText(value);

const recordText = (value: unknown): string =>
  Object.entries(recordAt(value))
    .map(([api, mode]) => `${api}:${String(mode)}`)
    .join(',') || String(value);

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function machineLine(world: World, plan: MachinePlan): string {
  const { api, resource, namespace, name, host, node } = plan;
  const where = node === undefined ? 'without a Node' : `with Node ${node} in ${host}`;
  const machine = world.management.get(resource, namespace, name);
  const traits = machine === undefined ? ['to be made later'] : machineTraits(machine, node);
  const about = `Machine ${namespace}/${name} (${api}) ${where}`;
  return [about, ...serverTraits(world, plan, machine), ...traits].join('; ');
}

/** Of servers that a provider keeps. */
function serverTraits(
  { cloud }: World,
  { api, namespace, name }: MachinePlan,
  machine: KubeObject | undefined,
): string[] {
  const named = cloud
    .servers()
    .filter((each) => each.machine.namespace === namespace && each.machine.name === name);
  const own = named.filter((each) => each.machine.uid === machine?.metadata.uid);
  return [
    ...(api === 'capi' || machine === undefined || own.length > 0 ? [] : ['without a server']),
    ...(named.length > own.length ? ['beside a server that nobody knows'] : []),
  ];
}

function podLines(world: World, { host, node }: MachinePlan): string[] {
  if (node === undefined) return [];
  const pods: readonly KubeObject[] = world
    .cluster(host)
    .list('pods', { fieldSelector: `spec.nodeName=${node}` });
  return pods.map((pod) => {
    const name = `  Pod ${pod.metadata.namespace}/${pod.metadata.name}`;
    const phase = textAt(pod, 'status', 'phase') ?? 'Pending';
    return [name, ...(phase === 'Running' ? [] : [phase]), ...podTraits(pod)].join('; ');
  });
}
