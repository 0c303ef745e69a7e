import { describe, expect, test } from 'vitest';
import { wantedNodeConditions } from '../../../../shared/dialects/capi/node-conditions.ts';
import type { Condition, Node } from '../../../../shared/kubernetes/objects.ts';
import { aCluster, after, aMachine, aStatusInput, timeAfter } from '../../../builders/cluster-api.ts';

const fine: Record<string, Condition['status']> = {
  Ready: 'True',
  MemoryPressure: 'False',
  DiskPressure: 'False',
  PIDPressure: 'False',
};

type Changes = Record<string, [status: Condition['status'], message?: string] | undefined>;

const aNode = (changes: Changes): Node => ({
  metadata: { name: 'node-1' },
  status: {
    conditions: Object.entries({ ...fine, ...changes }).flatMap(([type, value]) => {
      if (value === undefined) return [];
      const [status, message = ''] = typeof value === 'string' ? [value] : value;
      return [{ type, status, message, lastTransitionTime: '2026-01-01T00:00:00Z' }];
    }),
  },
});

const silent = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']
  .map((type) => `* Node.${type}: Condition not yet reported`)
  .join('\n');

const sayingsOf = (node: Node) => {
  const [healthy, ready] = wantedNodeConditions(
    aStatusInput({ node: { kind: 'present', object: node } }),
    [],
  );
  return { healthy, ready };
};

describe('a Node that is there', () => {
  test.each<[string, Changes, healthy: string[], ready: string[]]>([
    ['is healthy', {}, ['True', 'NodeHealthy', ''], ['True', 'NodeReady', '']],
    [
      'is not ready',
      { Ready: ['False', 'no network'] },
      ['False', 'NodeNotHealthy', '* Node.Ready: no network'],
      ['False', 'NodeNotReady', '* Node.Ready: no network'],
    ],
    [
      'is not ready and does not say why',
      { Ready: ['False'] },
      ['False', 'NodeNotHealthy', '* Node.Ready: Condition is False'],
      ['False', 'NodeNotReady', ''],
    ],
    [
      'has too little memory',
      { MemoryPressure: ['True', 'little'] },
      ['False', 'NodeNotHealthy', '* Node.MemoryPressure: little'],
      ['True', 'NodeReady', ''],
    ],
    [
      'has two troubles, one of them certain',
      { Ready: ['Unknown', 'silent'], DiskPressure: ['True', 'full'] },
      ['False', 'NodeNotHealthy', '* Node.Ready: silent\n* Node.DiskPressure: full'],
      ['Unknown', 'NodeReadyUnknown', '* Node.Ready: silent'],
    ],
    [
      'is silent altogether',
      {
        Ready: ['Unknown', 's'],
        MemoryPressure: ['Unknown', 's'],
        DiskPressure: ['Unknown', 's'],
        PIDPressure: ['Unknown', 's'],
      },
      ['Unknown', 'NodeHealthyUnknown', '* Node.AllConditions: s'],
      ['Unknown', 'NodeReadyUnknown', '* Node.Ready: s'],
    ],
    [
      'has reported nothing yet',
      { Ready: undefined, MemoryPressure: undefined, DiskPressure: undefined, PIDPressure: undefined },
      ['Unknown', 'NodeHealthyUnknown', silent],
      ['Unknown', 'NodeReadyUnknown', '* Node.Ready: Condition not yet reported'],
    ],
    [
      'has not reported yet',
      { Ready: undefined },
      ['Unknown', 'NodeHealthyUnknown', '* Node.Ready: Condition not yet reported'],
      ['Unknown', 'NodeReadyUnknown', '* Node.Ready: Condition not yet reported'],
    ],
  ])('%s', (_what, changes, healthy, ready) => {
    const said = sayingsOf(aNode(changes));
    expect([said.healthy?.status, said.healthy?.reason, said.healthy?.message]).toEqual(healthy);
    expect([said.ready?.status, said.ready?.reason, said.ready?.message]).toEqual(ready);
  });
});

test('a Node that has no status yet has reported nothing', () => {
  const { healthy, ready } = sayingsOf({ metadata: { name: 'node-1' } });
  expect(healthy).toMatchObject({ status: 'Unknown', message: silent });
  expect(ready).toMatchObject({ status: 'Unknown' });
});

test('what a Node says of itself keeps its time', () => {
  expect(sayingsOf(aNode({})).ready?.lastTransitionTime).toBe('2026-01-01T00:00:00Z');
});

describe('a Node that is gone', () => {
  test.each([
    [
      'was known',
      aMachine(),
      { status: 'False', reason: 'NodeDeleted', message: 'Node node-1 has been deleted' },
    ],
    [
      'was never known',
      aMachine({ status: { nodeRef: undefined } }),
      { status: 'Unknown', reason: 'NodeDoesNotExist', message: 'Node does not exist' },
    ],
  ])('%s', (_what, machine, said) => {
    expect(wantedNodeConditions(aStatusInput({ machine, node: { kind: 'absent' } }), [])).toEqual([
      { type: 'NodeHealthy', ...said },
      { type: 'NodeReady', ...said },
    ]);
  });
});

test.each([[{ kind: 'unseen' as const }], [{ kind: 'unknown' as const, why: 'connection is down' }]])(
  'nothing is said of a Node that is %j',
  (node) => {
    expect(wantedNodeConditions(aStatusInput({ node }), [])).toEqual([]);
  },
);

test('a Node that was gone before the deletion is not told as an error any more', () => {
  const before = [
    {
      type: 'NodeHealthy',
      status: 'False' as const,
      reason: 'NodeDeleted',
      message: 'while the Machine still exists',
    },
  ];
  const said = { status: 'False', reason: 'NodeDeleted', message: 'Node node-1 has been deleted' };
  expect(wantedNodeConditions(aStatusInput({ node: { kind: 'unseen' } }), before)).toEqual([
    { type: 'NodeHealthy', ...said },
    { type: 'NodeReady', ...said },
  ]);
});

const ofCluster = (type: string, status: string, message = '', since = timeAfter(-9_999)) => ({
  type,
  status,
  message,
  lastTransitionTime: since,
});
const initialized = ofCluster('ControlPlaneInitialized', 'True');
const probe = (message: string, status = 'False') => ofCluster('RemoteConnectionProbe', status, message);
const lastSuccess = (seconds: number) =>
  `Remote connection probe failed, probe last succeeded at ${timeAfter(seconds)}`;
const provisioned = { initialization: { infrastructureProvisioned: true } };
const aClusterThatSays = (...conditions: object[]) => aCluster({ status: { ...provisioned, conditions } });
const down = { status: 'Unknown', reason: 'ConnectionDown' };
const waiting = (what: string) => ({
  status: 'Unknown',
  reason: 'InspectionFailed',
  message: `Waiting for Cluster ${what}`,
});
const toBeProvisioned = waiting('status.initialization.infrastructureProvisioned to be true');
const toBeInitialized = waiting('control plane to be initialized');

describe('what the Cluster says of a Node that nobody has seen', () => {
  test.each<[string, ReturnType<typeof aCluster> | undefined, object | undefined]>([
    ['nothing without a Cluster', undefined, undefined],
    ['nothing without a status', aCluster(), undefined],
    ['nothing while all is well', aClusterThatSays(initialized, probe('', 'True')), undefined],
    ['nothing where nobody has probed', aClusterThatSays(initialized), undefined],
    ['nothing of a probe that says nothing', aClusterThatSays(initialized, probe('')), undefined],
    [
      'nothing of a probe that succeeds',
      aClusterThatSays(initialized, probe(lastSuccess(-900), 'True')),
      undefined,
    ],
    [
      'nothing where no probe was made yet',
      aClusterThatSays(initialized, probe('Remote connection not established yet')),
      undefined,
    ],
    [
      'that its infrastructure is to come',
      aCluster({ status: { conditions: [ofCluster('ControlPlaneInitialized', 'False')] } }),
      toBeProvisioned,
    ],
    [
      'that its control plane is to start',
      aClusterThatSays(ofCluster('ControlPlaneInitialized', 'False')),
      toBeInitialized,
    ],
    [
      'the same to clients of v1beta1',
      aCluster({
        status: {
          infrastructureReady: true,
          conditions: [initialized],
          v1beta2: { conditions: [ofCluster('ControlPlaneInitialized', 'Unknown')] },
        },
      }),
      toBeInitialized,
    ],
    [
      'that it cannot be reached for more than five minutes',
      aClusterThatSays(initialized, probe(lastSuccess(-291))),
      { ...down, message: `Last successful probe at ${timeAfter(-291)}` },
    ],
    ['nothing of a shorter time', aClusterThatSays(initialized, probe(lastSuccess(-290))), undefined],
    [
      'that it never could be reached',
      aClusterThatSays(initialized, probe('Remote connection probe failed')),
      { ...down, message: '' },
    ],
    [
      'nothing as long as its control plane is new',
      aClusterThatSays(
        ofCluster('ControlPlaneInitialized', 'True', '', timeAfter(-290)),
        probe(lastSuccess(-9_000)),
      ),
      undefined,
    ],
  ])('is %s', (_what, cluster, said) => {
    const sayings = said === undefined ? [] : ['NodeHealthy', 'NodeReady'].map((type) => ({ type, ...said }));
    expect(wantedNodeConditions(aStatusInput({ cluster, now: after(10) }), [])).toEqual(sayings);
  });

  test('comes before that it was gone, and before that the Machine names none', () => {
    const cluster = aClusterThatSays(ofCluster('ControlPlaneInitialized', 'False'));
    const wasGone = [{ type: 'NodeHealthy', status: 'False' as const, reason: 'NodeDeleted' }];
    expect(wantedNodeConditions(aStatusInput({ cluster }), wasGone)[0]).toMatchObject(toBeInitialized);
    const machine = aMachine({ status: { nodeRef: undefined } });
    const [healthy] = wantedNodeConditions(aStatusInput({ cluster, machine, node: { kind: 'absent' } }), []);
    expect(healthy).toMatchObject(toBeInitialized);
  });

  test('counts for nothing where somebody has looked', () => {
    const cluster = aClusterThatSays(initialized, probe(lastSuccess(-900)));
    const gone = wantedNodeConditions(aStatusInput({ cluster, node: { kind: 'absent' } }), []);
    expect(gone[0]?.reason).toBe('NodeDeleted');
    const seen = wantedNodeConditions(
      aStatusInput({ cluster, node: { kind: 'present', object: aNode({}) } }),
      [],
    );
    expect(seen[0]?.reason).toBe('NodeHealthy');
  });
});
