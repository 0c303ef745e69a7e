import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { checkpointAnnotation } from '../../../../shared/machine/checkpoint.ts';
import type { MachineBlueprint, PodBlueprint } from '../../scenario/blueprint.ts';
import { setReady } from '../../scenario/build/power.ts';
import { aMachine, aNode, aPod, aSet } from '../../scenario/draw/draft.ts';
import { hookName } from '../../scenario/draw/hooks.ts';
import { blueSite as site } from '../../scenario/draw/usual-sites.ts';
import type { Deed } from '../../scenario/model.ts';
import type { World } from '../../world.ts';
import { type Story, type Telling, told } from '../story.ts';

const place = { host: 'blue', node: 'node-1' };
const name = 'blue-worker-1';

const controlPlane = aMachine(site, { name: 'blue-cp-1', isControlPlane: true });

const aWorker = (parts: Partial<MachineBlueprint> = {}): MachineBlueprint =>
  aMachine(site, { name, node: 'node-1', deletedAt: [500], ...parts });

const pods = (...names: string[]): PodBlueprint[] => names.map((each) => aPod(place, { name: each }));

/** One worker goes, with a Pod on its Node unless it is said which. */
const ofWorker = (title: string, machine: Partial<MachineBlueprint>, telling: Partial<Telling> = {}): Story =>
  told({
    name: title,
    site,
    machines: [controlPlane, aWorker(machine)],
    ...telling,
    also: { pods: pods('a'), ...telling.also },
  });

/** Somebody writes into the Machine, if it is still there. */
const edits = (
  at: number,
  what: string,
  metadata: (machine: KubeObject) => KubeObject['metadata'] | object,
): Deed => ({
  at,
  run(world: World) {
    const resource = 'machines.cluster.x-k8s.io';
    const machine = world.management.get(resource, site.namespace, name);
    if (machine === undefined) return;
    world.say('a user', `${what} the Machine ${site.namespace}/${name}`);
    world.management.patch(resource, machine, { metadata: metadata(machine) });
  },
});

const pause = (value: string | null) => () => ({ annotations: { 'cluster.x-k8s.io/paused': value } });
const neverStops = { 'local.phaseout.dev/never-stops': 'true' };
const volume = { host: 'blue', namespace: 'shop', name: 'data' };

const ordered = {
  rules: [
    {
      namespace: 'fleet',
      name: 'back-last',
      spec: {
        drain: { behavior: 'Drain', order: 10 },
        pods: [{ selector: { matchLabels: { tier: 'back' } } }],
      },
    },
  ],
  sets: [aSet({ host: 'blue', name: 'cart', replicas: 2 })],
  nodes: [
    aNode({ host: 'blue', name: 'node-1', providerID: aWorker().providerID }),
    aNode({ host: 'blue', name: 'node-spare' }),
  ],
  pods: [
    ...['cart-1', 'cart-2'].map((each) =>
      aPod(place, { name: each, replicaSet: 'cart', labels: { app: 'cart' } }),
    ),
    aPod(place, { name: 'back', labels: { tier: 'back' }, claims: ['data'] }),
  ],
  budgets: [
    {
      host: 'blue',
      namespace: 'shop',
      name: 'cart',
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'cart' } } },
    },
  ],
  volumes: [{ ...volume, stuckOn: undefined }],
};

const hooks = (['pre-drain', 'pre-terminate'] as const).map((point, index) => ({
  point,
  name: hookName('capi', point, 'backup'),
  owner: 'somebody/slow',
  leavesAt: index === 0 ? 4_000 : 12_000,
}));

/** Deletions of Machines of Cluster API. */
export const capiStories: readonly Story[] = [
  ofWorker('plain', {}, { also: { pods: pods('a', 'b', 'c') } }),
  ofWorker('plain-v1beta1', {}, { version: 'v1beta1', also: { pods: pods('a', 'b', 'c') } }),
  ofWorker('orders', {}, { also: ordered }),
  ofWorker('hooks', { hooks }),
  ofWorker(
    'drain-times-out',
    { timeouts: { drain: 20, node: 10 } },
    { also: { pods: [aPod(place, { name: 'a', annotations: neverStops })] } },
  ),
  ofWorker(
    'volumes-time-out',
    { timeouts: { volumes: 20, node: 10 } },
    {
      also: {
        pods: [aPod(place, { name: 'a', claims: ['data'] })],
        volumes: [{ ...volume, stuckOn: 'node-1' }],
      },
    },
  ),
  ofWorker(
    'node-times-out',
    { timeouts: { node: 10 } },
    {
      also: {
        nodes: [
          aNode({
            host: 'blue',
            name: 'node-1',
            providerID: aWorker().providerID,
            finalizers: ['nodes.example/inventory'],
          }),
        ],
      },
    },
  ),
  ofWorker(
    'unreachable',
    { deletedAt: [1_500] },
    {
      deeds: [
        {
          at: 100,
          run(world) {
            world.say('blue', 'does not hear from Node node-1 any more');
            setReady(world, 'blue', 'node-1', 'Unknown');
          },
        },
      ],
      also: { pods: [...pods('a'), aPod(place, { name: 'b', state: 'terminating' })] },
    },
  ),
  ofWorker(
    'wait-completed',
    {},
    {
      also: {
        pods: [
          ...pods('a'),
          aPod(place, {
            name: 'batch',
            labels: { 'cluster.x-k8s.io/drain': 'wait-completed' },
            annotations: { 'local.phaseout.dev/run-seconds': '12' },
          }),
        ],
      },
    },
  ),
  ofWorker('excluded', {
    annotations: {
      'machine.cluster.x-k8s.io/exclude-node-draining': '',
      'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '',
    },
  }),
  ofWorker('no-node', { node: undefined, hasNodeRef: false }, { also: { pods: [] } }),
  told({
    name: 'two-machines',
    site,
    machines: [
      controlPlane,
      aWorker(),
      aMachine(site, { name: 'blue-worker-2', node: 'node-2', deletedAt: [520] }),
    ],
    also: { pods: [...pods('a'), aPod({ host: 'blue', node: 'node-2' }, { name: 'b' })] },
    instances: 2,
  }),
  ofWorker(
    'paused',
    {},
    {
      deeds: [edits(900, 'pauses', pause('')), edits(8_000, 'lets go on with', pause(null))],
      also: { pods: pods('a', 'b') },
    },
  ),
  ofWorker(
    'corrupted',
    {},
    {
      deeds: [
        edits(1_500, 'corrupts the checkpoint of', () => ({
          annotations: { [checkpointAnnotation]: '{"v":1,"phase":"nod' },
        })),
      ],
      also: { pods: [aPod(place, { name: 'a', annotations: { 'local.phaseout.dev/stop-seconds': '4' } })] },
    },
  ),
];
