import { expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import type { Reason } from '../../../../shared/machine/reason.ts';
import { aCluster, after, aMachine } from '../../../builders/cluster-api.ts';

const said = (type: string, reason = 'R') => ({ type, status: 'True', reason, message: '' });
const all = [said('BootstrapConfigReady'), said('InfrastructureReady'), said('NodeHealthy')];
const unread = [said('BootstrapConfigReady', 'InternalError'), said('InfrastructureReady', 'InternalError')];
const everything = ['infrastructure', 'bootstrap', 'node'];

const seen = (machine: Parameters<typeof aMachine>[0], reason: Reason, cluster = aCluster()) =>
  clusterApi.worthSeeing({ machine: aMachine(machine), cluster, now: after(10) }, { reason, message: '' });

test.each<[string, Record<string, unknown>, Reason, string[]]>([
  ['nothing was ever said', {}, 'DrainingNode', everything],
  ['all was said', { conditions: all }, 'DrainingNode', []],
  ['all was said to clients of v1beta1', { v1beta2: { conditions: all } }, 'DrainingNode', []],
  [
    'all was said in v1beta1 only',
    { conditions: [said('BootstrapReady'), said('InfrastructureReady'), said('NodeHealthy')] },
    'DrainingNode',
    [],
  ],
  [
    'the older conditions say something of the Node',
    { deprecated: { v1beta1: { conditions: [said('NodeHealthy')] } } },
    'DrainingNode',
    ['infrastructure', 'bootstrap'],
  ],
  [
    'the Node could not be seen for long',
    { conditions: [...all.slice(0, 2), said('NodeHealthy', 'ConnectionDown')] },
    'DrainingNode',
    ['node'],
  ],
  [
    'clients of v1beta1 were told so, too',
    { conditions: all, v1beta2: { conditions: [said('NodeHealthy', 'ConnectionDown')] } },
    'DrainingNode',
    ['node'],
  ],
  [
    'the Cluster was not far enough to have Nodes',
    { conditions: [...all.slice(0, 2), said('NodeHealthy', 'InspectionFailed')] },
    'DrainingNode',
    ['node'],
  ],
  [
    'the objects could not be read when a wait for hooks began',
    { conditions: [...unread, said('NodeHealthy'), said('Deleting', 'WaitingForPreTerminateHook')] },
    'WaitingForPreTerminateHook',
    ['infrastructure', 'bootstrap'],
  ],
  [
    'the objects could not be read, and the next look is soon',
    { conditions: [...unread, said('NodeHealthy')] },
    'DrainingNode',
    [],
  ],
  [
    'a wait for hooks begins',
    { conditions: [...all, said('Deleting', 'DrainingNode')] },
    'WaitingForPreTerminateHook',
    everything,
  ],
  [
    'a wait for hooks begins, and nothing else was said',
    { conditions: all },
    'WaitingForPreDrainHook',
    everything,
  ],
  [
    'hooks are still waited for',
    { conditions: [...all, said('Deleting', 'WaitingForPreDrainHook')] },
    'WaitingForPreDrainHook',
    [],
  ],
])('when %s', (_when, status, reason, places) => {
  expect(seen({ status }, reason)).toEqual(places);
});

test('when the Cluster says that nobody can see its Nodes', () => {
  const conditions = [{ type: 'ControlPlaneInitialized', status: 'False', reason: 'R' }];
  const cluster = {
    ...aCluster(),
    status: { initialization: { infrastructureProvisioned: true }, conditions },
  };
  expect(seen({ status: { conditions: all } }, 'WaitingForInfrastructureDeletion', cluster)).toEqual([
    'node',
  ]);
});
