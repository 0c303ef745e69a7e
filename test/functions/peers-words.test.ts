import { expect, test } from 'vitest';
import { phaseFunctions } from '../../infra/host/phases.ts';
import { noClient, Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import type { Phase } from '../../shared/machine/phase.ts';
import { reconcilePhase } from '../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../builders/cluster-api.ts';
import { aNode } from '../builders/subject.ts';
import { eventsIn } from '../builders/v1alpha1-world.ts';
import { aCommand, atCheckpoint, aWorld, type World } from '../builders/world.ts';

// What a Machine and its Events show of a failure is the peer's sentence with the API's own words. Verb, path, host and
// code stand in the log and the history alone.

const boom = (request: string): Unavailable =>
  new Unavailable(`${request} of https://blue: 500 InternalError boom`, { statusText: 'boom' });
const down = (request: string): Unavailable =>
  new Unavailable(`${request} of https://blue: connect ECONNREFUSED`, { statusText: noClient });

const at = (phase: Phase, checkpoint: Partial<Checkpoint> = {}): World =>
  aWorld(
    aRawMachine({ annotations: atCheckpoint(aCheckpoint({ phase, since: timeAfter(9), ...checkpoint })) }),
  );

test.each<[phase: Phase, call: string, failure: Unavailable, event: string, request: string]>([
  [
    'node',
    'delete nodes/node-1',
    boom('DELETE nodes/node-1'),
    "Warning FailedDeleteNode: error deleting Machine's Node: error deleting node node-1: boom",
    'DELETE nodes/node-1 of https://blue: 500 InternalError boom',
  ],
  [
    'node',
    'get nodes/node-1',
    down('GET nodes/node-1'),
    "Warning FailedDeleteNode: error deleting Machine's Node: failed deleting Node because connection to the workload cluster is down: error getting client: connection to the workload cluster is down",
    'GET nodes/node-1 of https://blue: connect ECONNREFUSED',
  ],
  [
    'drain',
    'get nodes/node-1',
    down('GET nodes/node-1'),
    'Warning FailedDrainNode: error draining Machine\'s node "node-1": failed to drain Node node-1: error getting client: connection to the workload cluster is down',
    'GET nodes/node-1 of https://blue: connect ECONNREFUSED',
  ],
  [
    'drain',
    'patch nodes/node-1',
    boom('PATCH nodes/node-1'),
    'Warning FailedDrainNode: error draining Machine\'s node "node-1": failed to cordon Node node-1: boom',
    'PATCH nodes/node-1 of https://blue: 500 InternalError boom',
  ],
  [
    'drain',
    'list pods',
    boom('GET pods'),
    'Warning FailedDrainNode: error draining Machine\'s node "node-1": failed to drain Node node-1: boom',
    'GET pods of https://blue: 500 InternalError boom',
  ],
  [
    'volume-detach',
    'get nodes/node-1',
    down('GET nodes/node-1'),
    'Warning FailedWaitForVolumeDetach: error waiting for node volumes detaching, Machine\'s node "node-1": error getting client: connection to the workload cluster is down',
    'GET nodes/node-1 of https://blue: connect ECONNREFUSED',
  ],
])('in phase %s, of %s', async (phase, call, failure, event, request) => {
  const world = at(phase);
  const isCordoned = !call.startsWith('patch');
  world.workload.put('nodes', aNode({ unschedulable: isCordoned }));
  world.workload.on(
    call,
    () => {
      throw failure;
    },
    9,
  );
  await reconcilePhase(world.env, phaseFunctions[phase], aCommand({ phase }));
  expect(await eventsIn(world)).toEqual([event]);
  const history = await world.env.store.history('uid-1');
  expect(history.map(({ message }) => message).join()).toContain(request);
});
