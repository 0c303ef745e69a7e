import { afterEach, describe, expect, it } from 'vitest';
import { recordAt } from '../../shared/dialects/fields.ts';
import { Fleet, resources } from '../stories/stage/fleet.ts';
import { conditions } from './state.ts';

let fleet: Fleet | undefined;
afterEach(() => fleet?.end());

const longAgo = '2025-11-20T12:00:00Z';
const initialized = (status: string) => ({
  type: 'ControlPlaneInitialized',
  status,
  lastTransitionTime: longAgo,
});
const cutOff = {
  type: 'RemoteConnectionProbe',
  status: 'False',
  reason: 'ProbeFailed',
  message: `Remote connection probe failed, probe last succeeded at ${longAgo}`,
  lastTransitionTime: longAgo,
};

function aFleetWhoseCluster(status: object): Fleet {
  const stage = new Fleet({}, {});
  fleet = stage;
  stage.cluster();
  stage.change(resources.clusters, 'blue', { status }, 'status');
  return stage;
}

/** What the Machine says of its Node some seconds after it was to go. */
async function saidOfTheNode(stage: Fleet, seconds: number): Promise<string[]> {
  await stage.seconds(3);
  stage.begin();
  stage.delete('worker-1');
  await stage.seconds(seconds);
  const machine = stage.server.cluster.get(resources.machines, 'fleet', 'worker-1');
  const said = conditions.parse(recordAt(machine, 'status')['conditions']);
  return said
    .filter(({ type }) => ['Ready', 'NodeHealthy', 'NodeReady'].includes(type))
    .map(({ type, message, ...fields }) => `${type} ${String(fields['reason'])}: ${message}`);
}

describe('a Machine says of its Node what Cluster API says', () => {
  it('in a Cluster whose control plane has not started', async () => {
    const stage = aFleetWhoseCluster({
      initialization: { infrastructureProvisioned: true },
      conditions: [initialized('False')],
    });
    const infrastructure = { finalizers: ['peer/hold'] };
    const spec = { providerID: null };
    const status = { nodeRef: null, conditions: null, deprecated: null };
    stage.worker('worker-1', { node: null, spec, status, infrastructure });
    stage.change(resources.infrastructure, 'worker-1', { spec: { providerID: null } });
    expect(await saidOfTheNode(stage, 5)).toEqual([
      'Ready NotReady: * Deleting: Machine deletion in progress, stage: WaitingForInfrastructureDeletion\n* NodeHealthy: Waiting for Cluster control plane to be initialized',
      'NodeHealthy InspectionFailed: Waiting for Cluster control plane to be initialized',
      'NodeReady InspectionFailed: Waiting for Cluster control plane to be initialized',
    ]);
  });

  it('in a Cluster that nobody has reached for long', async () => {
    const stage = aFleetWhoseCluster({
      initialization: { infrastructureProvisioned: true },
      conditions: [initialized('True'), cutOff],
    });
    stage.worker('worker-1');
    stage.unreachable('blue');
    expect(await saidOfTheNode(stage, 30)).toEqual([
      `Ready NotReady: * Deleting: Machine deletion in progress, stage: DrainingNode\n* NodeHealthy: Last successful probe at ${longAgo}`,
      `NodeHealthy ConnectionDown: Last successful probe at ${longAgo}`,
      `NodeReady ConnectionDown: Last successful probe at ${longAgo}`,
    ]);
  });
});
