import type { Scenario } from '../scenario/model.ts';
import { management } from '../platform/clusters.ts';
import type { World } from '../world.ts';

/** Who is there at the beginning, a line for each Machine and each other thing that matters. */
export function cast(world: World, { machines, world: parts, calmAt }: Scenario): string {
  const { instances, workloads, version = 'v1beta2', latencyMilliseconds } = parts;
  const head = [
    `${counted(instances, 'instance')} of phaseout; steps take up to ${latencyMilliseconds} ms`,
    `clusters: ${[management, ...workloads].join(', ')} (Cluster API in ${version})`,
    `things go wrong for ${(calmAt / 1_000).toFixed(0)} s`,
  ];
  const lines = machines.map(({ api, namespace, name, host, node }) => {
    const where = node === undefined ? 'without a Node' : `with Node ${node} in ${host}`;
    const pods = node === undefined ? 0 : podsOn(world, host, node);
    return `Machine ${namespace}/${name} (${api}) ${where}${pods === 0 ? '' : `, ${counted(pods, 'Pod')} on it`}`;
  });
  return [...head, ...lines].map((line) => `  ${line}\n`).join('');
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const podsOn = (world: World, host: string, node: string): number =>
  world.cluster(host).list('pods', { fieldSelector: `spec.nodeName=${node}` }).length;
