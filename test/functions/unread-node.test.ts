import { expect, test } from 'vitest';
import { drain } from '../../functions/drain.ts';
import { CouldNotLook, NoAccess } from '../../shared/kubernetes/port.ts';
import { runPhase } from '../../shared/runtime/run-phase.ts';
import { aCommand, atCheckpoint, aWorld } from '../builders/world.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../shared/dialects/capi/machines.ts';

const get = 'GET nodes/node-1 of https://blue: 500 boom';
const down = 'connection to the workload cluster is down: no answer within 10 s';
const noSecret = 'Secret default/c-kubeconfig does not exist';

test.each<[string, Error, string]>([
  ['cannot be read', new CouldNotLook(get), `unable to get Node node-1: ${get}`],
  ['is in a cluster that is down', new CouldNotLook(down), `failed to drain Node node-1: ${down}`],
  [
    'is in a cluster that nobody may enter',
    new NoAccess(noSecret),
    `failed to drain Node node-1: ${noSecret}`,
  ],
])('in the words of Cluster API: a Node that %s', async (_what, failure, error) => {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ since: timeAfter(9) })) }));
  world.workload.on('get nodes/node-1', () => {
    throw failure;
  });
  const { announcements } = await runPhase(world.env, drain, aCommand());
  expect(announcements).toMatchObject([{ kind: 'failed', reason: 'DrainingNode', error }]);
});
