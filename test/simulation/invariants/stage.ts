import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { createDynamoStore, type DynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { management } from '../platform/clusters.ts';
import type { PlayedHook } from '../platform/functions/played.ts';
import { createRandom } from '../random.ts';
import { buildDeletionHooks } from '../scenario/build/deletion-hooks.ts';
import type { MachinePlan, Scenario } from '../scenario/model.ts';
import { createSimulatedStoreClient } from '../store/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { World } from '../world.ts';
import { buildStage, fleet, machines } from './built-stage.ts';
import type { Invariant } from './invariant.ts';

/** A small world in which what instances ask is said by a test, and one invariant looks on. */
export interface Stage {
  world: World;
  /** What it has cried so far. */
  cries: string[];
  observer: ReturnType<Invariant['watch']>;
  machine(): KubeObject;
  /** Changes the Machine as somebody else would. */
  patchMachine(patch: object): void;
  pod(name: string, fields?: { metadata?: object; spec?: object; status?: object }): KubeObject;
  /** One instance asks; `then` is what the server does. It learns of it unless `isHeard` is false. */
  ask(asked: Partial<Exchange>, then?: () => void, code?: number, isHeard?: boolean): void;
  /** As `ask`, but the request arrives only when the answer is called. */
  send(asked: Partial<Exchange>): (then?: () => void, code?: number, isHeard?: boolean) => void;
  /** It reads the Machine, its Node and its Pods, and all that judges them. */
  look(instance?: string): void;
  /** Lets changes be noticed, and so much time go by. */
  pass(milliseconds?: number): Promise<void>;
  tell(type: string, id: string, data: object): void;
}

const plans: readonly MachinePlan[] = [
  { api: 'capi', resource: machines, ...fleet, host: 'blue', node: 'node-1' },
  { api: 'capi', resource: machines, namespace: 'fleet', name: 'm2', host: 'blue', node: 'node-2' },
];

const scenario: Scenario = {
  world: { workloads: ['blue'], instances: 1, config: {}, latencyMilliseconds: 0 },
  machines: plans,
  build: () => undefined,
  deeds: [],
  calmAt: 0,
  blockers: () => [],
  giveIn: () => undefined,
};

/** `m1` is being deleted, `m2` and the control plane live. */
export async function openStage(
  invariant: Invariant,
  changes: Partial<Scenario> = {},
  deletionHooks: readonly PlayedHook[] = [],
): Promise<Stage> {
  const world = new World({ ...scenario.world, deletionHooks, random: createRandom(1) });
  buildStage(world);
  buildDeletionHooks(world);
  await world.scheduler.run(world.now());
  const cries: string[] = [];
  const told = { ...scenario, ...changes };
  world.observers.push(invariant.watch(world, told, (what) => cries.push(what)));
  const all = [...world.observers];
  const machine = (): KubeObject => {
    const found = world.management.get(machines, fleet.namespace, fleet.name);
    if (found === undefined) throw new Error('m1 is gone');
    return found;
  };
  const send: Stage['send'] = (asked) => {
    const exchange = exchangeOf(asked);
    for (const observer of all) observer.leaves?.(exchange);
    return (then = () => undefined, code = 200, isHeard = true) => {
      for (const observer of all) observer.before?.(exchange);
      then();
      for (const observer of all) observer.after?.(exchange, { code, body: undefined });
      if (isHeard) for (const observer of all) observer.heard?.(exchange);
    };
  };
  const ask: Stage['ask'] = (asked, ...arrives) => send(asked)(...arrives);
  return {
    world,
    cries,
    observer: world.observers.at(-1) ?? {},
    machine,
    patchMachine: (patch) => void world.management.patch(machines, machine(), patch),
    pod: (name, fields = {}) => createPod(world, name, fields),
    send,
    ask,
    look(instance = 'instance-1') {
      for (const read of lookedAt) ask({ instance, ...read });
    },
    pass: (milliseconds = 0) => world.scheduler.run(world.now() + milliseconds),
    tell(type, id, data) {
      const event: CloudEvent = { attributes: { type, id }, data: Buffer.from(JSON.stringify(data)) };
      for (const observer of all) observer.event?.(event);
    },
  };
}

/** The table as an instance would use it, with nothing between. */
export function storeOf({ world: { scheduler: clock, table } }: Stage): DynamoStore {
  const client = createSimulatedStoreClient(table, {
    clock,
    step: () => Promise.resolve(),
    faults: () => 'none',
  });
  return createDynamoStore({ client, table: 'phaseout', clock });
}

const nothing: Exchange = {
  instance: 'instance-1',
  host: management,
  method: '',
  verb: '',
  resource: '',
  namespace: '',
  name: '',
  path: '',
  query: {},
  body: undefined,
};

/** As the wire would tell of it. */
export const exchangeOf = (asked: Partial<Exchange>): Exchange => ({ ...nothing, ...asked });

const lookedAt: readonly Partial<Exchange>[] = [
  { verb: 'get', resource: machines, ...fleet },
  { verb: 'get', resource: 'clusters.cluster.x-k8s.io', namespace: 'fleet', name: 'blue' },
  { verb: 'get', host: 'blue', resource: 'nodes', name: 'node-1' },
  { verb: 'list', host: 'blue', resource: 'pods', query: { fieldSelector: 'spec.nodeName=node-1' } },
  { verb: 'list', resource: 'machinedrainrules.cluster.x-k8s.io', namespace: 'fleet' },
];

function createPod(
  world: World,
  name: string,
  { metadata = {}, spec = {}, status }: { metadata?: object; spec?: object; status?: object },
): KubeObject {
  const blue = world.cluster('blue');
  const pod = blue.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name, ...metadata },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'main' }], ...spec },
  });
  return status === undefined ? pod : blue.patch('pods', pod, { status }, 'status');
}
