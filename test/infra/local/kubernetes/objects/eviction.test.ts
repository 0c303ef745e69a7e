import { expect, test } from 'vitest';
import { aPod, aServer, budgets, pods, type Server } from '../stage.ts';

const strategic = 'application/strategic-merge-patch+json';

/** A running Pod `p`, and its metadata. */
function withPod({ ask }: Server, conditions: object[] = []) {
  ask('POST', pods, aPod('p'));
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }, ...conditions] };
  return ask('PATCH', `${pods}/p/status`, { status }, { type: strategic }).body.metadata;
}

const evict = ({ ask }: Server, deleteOptions: object = {}) =>
  ask('POST', `${pods}/p/eviction`, { metadata: { name: 'p', namespace: 'default' }, deleteOptions });

const podIn = ({ ask }: Server) => ask('GET', `${pods}/p`).body;

const targetIn = (server: Server) =>
  podIn(server).status.conditions.find(({ type }: { type: string }) => type === 'DisruptionTarget');

test('an eviction of the version that is there is done, although the Pod is written before it ends', () => {
  const server = aServer();
  const { resourceVersion } = withPod(server);
  expect(evict(server, { preconditions: { resourceVersion } }).status).toBe(201);
  expect(podIn(server).metadata.deletionTimestamp).toBe('2026-01-01T00:00:30Z');
});

test('an eviction of another version is refused, and the Pod stays as it was', () => {
  const server = aServer();
  const { resourceVersion } = withPod(server);
  const { status, body } = evict(server, { preconditions: { resourceVersion: '1' } });
  expect(status).toBe(409);
  expect(body.message).toBe(
    `Operation cannot be fulfilled on Pod "p": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
  );
  expect(podIn(server).metadata.resourceVersion).toBe(resourceVersion);
  expect(targetIn(server)).toBeUndefined();
});

test('a Pod that was to be disrupted for another reason is told the last one, since when it was', () => {
  const server = aServer();
  const lastTransitionTime = '2025-01-01T00:00:00Z';
  const reason = 'DeletionByTaintManager';
  withPod(server, [{ type: 'DisruptionTarget', status: 'True', reason, lastTransitionTime }]);
  evict(server);
  expect(targetIn(server)).toEqual({
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  });
});

test.each<[dryRun: unknown, deletionTimestamp: string | undefined]>([
  [[], '2026-01-01T00:00:30Z'],
  [null, '2026-01-01T00:00:30Z'],
  [['All'], undefined],
])('an eviction with dryRun %j', (dryRun, deletionTimestamp) => {
  const server = aServer();
  withPod(server);
  expect(evict(server, { dryRun }).status).toBe(201);
  expect(podIn(server).metadata.deletionTimestamp).toBe(deletionTimestamp);
});

test('a budget tells in its place that its last disruption is taken', () => {
  const server = aServer();
  withPod(server);
  server.ask('POST', budgets, { metadata: { name: 'b' }, spec: { minAvailable: 0, selector: {} } });
  const conditions = [
    { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' },
    { type: 'Other', status: 'True', reason: 'Other' },
  ];
  const status = { conditions, disruptionsAllowed: 1, observedGeneration: 1, expectedPods: 1 };
  server.ask('PATCH', `${budgets}/b/status`, { status });
  expect(evict(server).status).toBe(201);
  expect(server.ask('GET', `${budgets}/b`).body.status.conditions).toMatchObject([
    { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
    { type: 'Other' },
  ]);
});
