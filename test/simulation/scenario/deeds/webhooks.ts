import type { Fault } from '../../faults/fault.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { World } from '../../world.ts';
import { isGoing } from '../blockers/case.ts';
import type { MachineBlueprint } from '../blueprint.ts';
import { buildPod } from '../build/workloads.ts';
import { aPod } from '../draw/draft.ts';
import type { Deed } from '../model.ts';
import { aPodOf, deed, nameOf } from './deed.ts';

/** What an admission webhook does not let be deleted for a while. */
interface Kept {
  what: string;
  seconds: number;
  message: string;
  isIt: (exchange: Exchange) => boolean;
  /** When it is asked for the first time. */
  began?: (world: World) => void;
}

/** Whatever else goes wrong or does not. */
const kept = ({ what, seconds, message, isIt, began }: Kept): Deed => ({
  at: 0,
  run(world) {
    let until: number | undefined;
    const answer = { status: 403, reason: 'Forbidden', message };
    world.meddlers.onRequestForGood((exchange) => {
      if (exchange.verb !== 'delete' || !isIt(exchange)) return undefined;
      if (until === undefined) {
        world.say('a webhook', `does not let ${what} be deleted, for ${seconds} s`);
        began?.(world);
      }
      until ??= world.now() + seconds * 1_000;
      return world.now() < until ? { answer } : undefined;
    });
  },
});

export function keptNode({ host, node, nodeKeptSeconds: seconds }: MachineBlueprint): Deed[] {
  if (seconds === undefined || node === undefined) return [];
  const message = `admission webhook "nodes.inventory.example" denied the request: Node ${node} is still on the books`;
  const isIt = ({ resource, name, host: at }: Exchange): boolean =>
    resource === 'nodes' && name === node && at === host;
  return [kept({ what: `${node} of ${host}`, seconds, message, isIt })];
}

/** Pods come to its Node as to any that somebody needs again. */
export function keptServer(plan: MachineBlueprint): Deed[] {
  const { host, node, name, namespace, serverKept } = plan;
  if (serverKept === undefined || node === undefined) return [];
  const { seconds, podAfterSeconds, isNodeForgotten = false } = serverKept;
  const message = `admission webhook "servers.backup.example" denied the request: ${name} is being copied`;
  const isIt = (exchange: Exchange): boolean =>
    exchange.resource.includes('.infrastructure.') &&
    exchange.namespace === namespace &&
    exchange.name === name;
  const comes = (world: World): void => {
    if (isNodeForgotten) forgetNode(world, plan);
    if (podAfterSeconds === undefined) return;
    world.scheduler.after(podAfterSeconds * 1_000, () => putPod(world, host, node));
  };
  return [kept({ what: `the server of ${namespace}/${name}`, seconds, message, isIt, began: comes })];
}

/** As where a Machine is brought back from a backup, which has no status. */
function forgetNode(world: World, { resource, namespace, name }: MachineBlueprint): void {
  const machine = world.management.get(resource, namespace, name);
  if (machine === undefined) return;
  world.management.patch(resource, machine, { status: { nodeRef: null } }, 'status');
  world.say('a user', `takes the nodeRef off the Machine ${namespace}/${name}`);
}

/** As on any Node that somebody needs again. */
export function putPod(world: World, host: string, node: string): void {
  const cluster = world.cluster(host);
  const found = cluster.get('nodes', undefined, node);
  const namespace = cluster.get('namespaces', undefined, 'shop');
  const name = `${node}-needed`;
  if (found === undefined || namespace === undefined || isGoing(namespace)) return;
  if (cluster.get('pods', 'shop', name) !== undefined) return;
  cluster.patch('nodes', found, { spec: { unschedulable: null } });
  buildPod(world, aPod({ host, node }, { name }));
  world.say('a user', `uncordons the Node ${node} of ${host}, and puts the Pod shop/${name} on it`);
}

/** What webhooks do not let happen to Pods for a while. */
export const webhookDeeds: readonly Fault[] = [
  deed({
    name: 'evictions-denied',
    about: 'A webhook denies the eviction of a Pod with 429 while it moves elsewhere what runs there.',
    who: 'a webhook',
    run(setting) {
      const { world, random } = setting;
      const found = aPodOf(setting, (pod) => !isGoing(pod));
      if (found === undefined) return undefined;
      const { host } = found.plan;
      const pod = nameOf(found.pod);
      const seconds = random.oneOf([3, 10, 40]);
      const ends = world.now() + seconds * 1_000;
      const message = `admission webhook "evictions.machines.example" denied the request: Eviction triggered evacuation of ${pod}`;
      const answer = { status: 429, reason: 'TooManyRequests', message };
      world.meddlers.onRequest(({ resource, namespace, name, host: asked }) => {
        const isMeant = resource === 'pods/eviction' && asked === host && `${namespace}/${name}` === pod;
        return isMeant && world.now() < ends ? { answer } : undefined;
      });
      return `does not let ${pod} of ${host} be evicted, for ${seconds} s`;
    },
  }),
];
