import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { isCordoned, isReachable } from '../../stories/stage/sights.ts';
import { newsOf } from '../../stories/stage/told-machine.ts';
import { bootstrapRef, infrastructureRef, resourceOfReference } from '../invariants/sight/machine.ts';
import type { MachinePlan } from '../scenario/model.ts';
import type { World } from '../world.ts';
import { secondsText, skewText } from './line.ts';
import { nameOf } from './news.ts';
import { machineTraits, podTraits } from './traits.ts';

/** Where a Machine stands, with its Node and what is on it. */
export function standOfMachine(world: World, plan: MachinePlan): string[] {
  const { resource, namespace, name, host, node } = plan;
  const machine = world.management.get(resource, namespace, name);
  const about = `Machine ${namespace}/${name}`;
  if (machine === undefined) return [`${about}: gone`];
  const told = newsOf(machine).flatMap(([, text]) => (text === undefined || text === '' ? [] : [text]));
  const said = told.flatMap((text) => text.split('\n')).map((line) => `  ${line}`);
  return [
    [about, ...machineTraits(machine, node)].join('; '),
    ...said,
    ...standOfServer(world, plan, machine).map((line) => `  ${line}`),
    ...(node === undefined ? [] : standOfNode(world, host, node)),
  ];
}

/** What stands for its server: objects of Cluster API, or the server itself at its provider. */
function standOfServer({ cloud, management }: World, { api }: MachinePlan, machine: KubeObject): string[] {
  const { namespace, uid } = machine.metadata;
  const isThere = cloud.servers().some((server) => server.machine.uid === uid);
  if (api !== 'capi') return [`server: ${isThere ? 'there' : 'gone'}`];
  const references = {
    infrastructure: infrastructureRef(machine),
    'bootstrap config': bootstrapRef(machine),
  };
  return Object.entries(references).flatMap(([what, reference]) => {
    const name = textAt(reference, 'name');
    if (name === undefined) return [];
    const place = textAt(reference, 'namespace') ?? namespace;
    const object = management.get(resourceOfReference(reference), place, name);
    return [`${what}: ${object === undefined ? 'gone' : objectTraits(object).join(', ')}`];
  });
}

const objectTraits = ({ metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): string[] => [
  deletionTimestamp === undefined ? 'there' : 'being deleted',
  ...(finalizers.length === 0 ? [] : [`finalizers ${finalizers.join(', ')}`]),
];

function standOfNode(world: World, host: string, name: string): string[] {
  const cluster = world.cluster(host);
  const node = cluster.get('nodes', undefined, name);
  const pods = cluster.list('pods', { fieldSelector: `spec.nodeName=${name}` });
  return [
    [`Node ${name} in ${host}`, ...(node === undefined ? ['gone'] : nodeTraits(node))].join('; '),
    ...pods.map((pod) => [`  Pod ${nameOf(pod)}`, ...podTraits(pod), ...timeLeft(pod, world)].join('; ')),
  ];
}

/** When an instance without news of its Node need not wait for it any longer. */
function timeLeft({ metadata: { deletionTimestamp } }: KubeObject, { began }: World): string[] {
  if (deletionTimestamp === undefined) return [];
  return [`has until ${secondsText(Date.parse(deletionTimestamp) - began)} to stop`];
}

/** Who took what for the present. */
export const wrongClocks = (world: World): string[] =>
  world.instances().flatMap(({ name, strand }) => {
    const ahead = strand.now() - world.now();
    return ahead === 0 ? [] : [`the clock of ${name} ${skewText(ahead)}`];
  });

const nodeTraits = (node: KubeObject): string[] => [
  ...(isCordoned(node) ? ['cordoned'] : ['not cordoned']),
  ...(isReachable(node) ? [] : ['not heard of']),
  ...(node.metadata.deletionTimestamp === undefined ? [] : ['being deleted']),
];
