import type { KubeObject } from '../../../infra/local/kubernetes/cluster.ts';
import { isCordoned, isReachable } from '../../stories/stage/sights.ts';
import { newsOf } from '../../stories/stage/told-machine.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { World } from '../world.ts';
import { machineTraits, podTraits } from './traits.ts';
import { nameOf } from './news.ts';

/** Where a Machine stands, with its Node and what is on it. */
export function standOfMachine(world: World, plan: MachinePlan): string[] {
  const { resource, namespace, name, host, node } = plan;
  const machine = world.management.get(resource, namespace, name);
  const about = `Machine ${namespace}/${name}`;
  if (machine === undefined) return [`${about}: gone`];
  const told = newsOf(machine).flatMap(([, text]) => (text === undefined || text === '' ? [] : [text]));
  const said = told.flatMap((text) => text.split('\n')).map((line) => `  ${line}`);
  return [
    [about, ...machineTraits(machine)].join('; '),
    ...said,
    ...(node === undefined ? [] : standOfNode(world, host, node)),
  ];
}

function standOfNode(world: World, host: string, name: string): string[] {
  const cluster = world.cluster(host);
  const node = cluster.get('nodes', undefined, name);
  const pods = cluster.list('pods', { fieldSelector: `spec.nodeName=${name}` });
  return [
    [`Node ${name} in ${host}`, ...(node === undefined ? ['gone'] : nodeTraits(node))].join('; '),
    ...pods.map((pod) => [`  Pod ${nameOf(pod)}`, ...podTraits(pod)].join('; ')),
  ];
}

const nodeTraits = (node: KubeObject): string[] => [
  ...(isCordoned(node) ? ['cordoned'] : ['not cordoned']),
  ...(isReachable(node) ? [] : ['not heard of']),
  ...(node.metadata.deletionTimestamp === undefined ? [] : ['being deleted']),
];
