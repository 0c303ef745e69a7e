import { expect, test } from 'vitest';
import { drain } from '../../functions/drain.ts';
import { NoCredentials, Unavailable } from '../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { pod } from '../builders/pods.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../builders/world.ts';

const noClient = 'error getting client: connection to the workload cluster is down';
const get = 'GET nodes/node-1 of https://blue: 500 InternalError boom';
const unanswered = 'GET nodes/node-1 of https://blue: no answer within 10 s';
const down = 'connection to the workload cluster is down: no answer within 10 s';
const noSecret = 'Secret default/c-kubeconfig does not exist';

test.each<[string, Error, string]>([
  ['cannot be read', new Unavailable(get, { statusText: 'boom' }), 'unable to get Node node-1: boom'],
  [
    'is in a cluster that has just gone down',
    new Unavailable(unanswered, { statusText: noClient }),
    `failed to drain Node node-1: ${noClient}`,
  ],
  [
    'is in a cluster that is down',
    new Unavailable(down, { statusText: noClient }),
    `failed to drain Node node-1: ${noClient}`,
  ],
  [
    'is in a cluster that no one may enter',
    new NoCredentials(noSecret),
    `failed to drain Node node-1: ${noClient}: ${noSecret}`,
  ],
])('in the words of Cluster API: a Node that %s', async (_what, failure, error) => {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ since: timeAfter(9) })) }));
  world.workload.on('get nodes/node-1', () => {
    throw failure;
  });
  const { facts } = await reconcilePhase(world.env, drain, aCommand());
  expect(facts).toMatchObject([{ kind: 'failed', reason: 'DrainingNode', error }]);
});

const excluded = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
const overLimit = { nodeDrainTimeoutSeconds: 9 };
const noAnswer = ({ workload }: World): void =>
  workload.on('list nodes', () => {
    throw new Unavailable('no answer');
  });

const gone = ({ workload }: World): void => workload.drop('nodes/node-1');

test.each<[what: string, phase: string, deletion: object, annotations: Record<string, string>]>([
  ['whose time is over', 'volume-detach', overLimit, {}],
  ['that the Machine is excluded from by now', 'volume-detach', {}, excluded],
])(
  'volumes are waited for, whoever can look for the Node, after a drain %s',
  async (_what, phase, ...given) => {
    expect(await wayFrom(noAnswer, ...given)).toEqual({ phase, isUnknown: true });
  },
);

test('a Node that is not there holds nothing', async () => {
  expect(await wayFrom(gone, overLimit, {})).toEqual({ phase: 'infrastructure', isUnknown: false });
});

const paused = { 'cluster.x-k8s.io/paused': '' };

test('no server goes with what is on its Node for one answer that is missing, however late the first look comes', async () => {
  const world = aWorld(aRawMachine({ annotations: paused, status: { nodeRef: undefined } }));
  const { management, workload, env, time } = world;
  await reconcilePhase(env, drain, aCommand({ seq: 0 }));
  management.change(machinePath, { metadata: { annotations: { 'cluster.x-k8s.io/paused': null } } });
  workload.put('pods', { ...pod('ns/a'), spec: { nodeName: 'node-1' } });
  noAnswer(world);
  for (const seconds of [600, 605]) {
    time.now = after(seconds);
    const { next } = await reconcilePhase(env, drain, aCommand({ seq: 0 }));
    expect(next).toBeUndefined();
  }
  expect(workload.at('pods/ns/a')?.metadata.deletionTimestamp).toBeDefined();
});

/**
 * Where the drain of a Machine without a nodeRef leads. It also answers whether phaseout reports that the search
 * failed.
 */
async function wayFrom(
  change: (world: World) => void,
  deletion: object,
  annotations: Record<string, string>,
): Promise<{ phase: string | undefined; isUnknown: boolean }> {
  const at = aCheckpoint({ since: timeAfter(1) });
  const status = { nodeRef: undefined, deletion: { nodeDrainStartTime: timeAfter(1) } };
  const world = aWorld(
    aRawMachine({ annotations: atCheckpoint(at, annotations), spec: { deletion }, status }),
  );
  change(world);
  const { next } = await reconcilePhase(world.env, drain, aCommand());
  const isUnknown = world.said.includes('Node could not be looked for by providerID');
  return { phase: next?.phase, isUnknown };
}
