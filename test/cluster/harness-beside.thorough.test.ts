import { describe, expect, type TestContext, test } from 'vitest';
import { startControllers } from '../../infra/local/controllers/index.ts';
import { clusterApiDefinitions } from '../../infra/local/kubernetes/crds/cluster-api.ts';
import type { ApiServer } from '../../infra/local/kubernetes/server/api-server.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { conformance } from './conformance.ts';
import { aServer, outcomesOf, refusalOf } from './harness-stage.ts';
import { readOptions } from './options.ts';
import type { Way } from './ways/way.ts';

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';

/** Cluster API with its own controller, as the local platform plays it: with its waits of 20 seconds. */
function withClusterApi({ cluster }: ApiServer, { onTestFinished }: TestContext): void {
  for (const definition of clusterApiDefinitions()) cluster.create(definitions, definition);
  cluster.create('namespaces', { metadata: { name: 'capi-system' } });
  const metadata = { name: 'controller-leader-election-capi', namespace: 'capi-system' };
  const spec = { renewTime: '2999-01-01T00:00:00.000000Z' };
  cluster.create('leases.coordination.k8s.io', { metadata, spec });
  const only = ['cluster-api-peer'] as const;
  onTestFinished(startControllers(cluster, systemClock, { only, peer: true, report: () => undefined }));
}

const isOurs = (user: string): boolean => user.startsWith('system:serviceaccount:phaseout-test-abcde');

/** How all stories came out, what was told, and what our ServiceAccounts were forbidden. */
async function allStories(way: Way, context: TestContext) {
  const { outside, audit, notes, left } = await aServer(context);
  const options = readOptions(['--beside', '--way', way, '--timeout', '150', '--parallel', '8']);
  const outcomes = outcomesOf(await conformance(options, outside)).toSorted();
  const forbidden = audit.filter(({ user, decision }) => isOurs(user) && decision === 'forbid');
  return { outcomes, notes, forbidden, left: left() };
}

const allOutcomes = (way: Way): string[] => [
  'clean-up passed',
  `${way} handed-over passed`,
  `${way} hook-before passed`,
  `${way} paused-drain passed`,
  `${way} registered not run v1.36.0-local has no MutatingAdmissionPolicy in v1, as Kubernetes 1.36 has`,
  `${way} released passed`,
  `${way} rights passed`,
  `${way} taken-off passed`,
  `${way} without-hook passed`,
];

// Nearly all that they do is wait, so they do it at the same time.
describe.concurrent('the harness in mode beside, on an API server in this process', {
  timeout: 300_000,
}, () => {
  test('by phaseout run all stories are told with a peer that is played, and nothing is left', async (context) => {
    const { outcomes, notes, forbidden, left } = await allStories('run', context);
    expect(outcomes).toEqual(allOutcomes('run'));
    expect(notes).toContain(
      "Cluster API's own controller does not run: what it does after a pre-drain hook is played here",
    );
    expect([forbidden, left]).toEqual([[], []]);
  });

  test('by the manifests all stories are told with a peer that is played, and nothing is left', async (context) => {
    const { outcomes, forbidden, left } = await allStories('manifests', context);
    expect(outcomes).toEqual(allOutcomes('manifests'));
    expect([forbidden, left]).toEqual([[], []]);
  });

  test("where Cluster API's own controller runs it is the peer, and nothing of Cluster API's is made or changed", async (context) => {
    const { outside, apiServer, notes, left } = await aServer(context);
    withClusterApi(apiServer, context);
    const { cluster } = apiServer;
    const before = cluster.list(definitions);
    const only = ['handed-over', 'without-hook', 'taken-off', 'rights'];
    const options = readOptions(['--beside', '--way', 'run', '--timeout', '150', '--only', ...only]);
    expect(outcomesOf(await conformance(options, outside)).toSorted()).toEqual([
      'clean-up passed',
      'run handed-over passed',
      'run rights passed',
      'run taken-off passed',
      'run without-hook passed',
    ]);
    expect(notes).toContain(
      "Cluster API's own controller is the peer: Lease capi-system/controller-leader-election-capi is renewed",
    );
    expect(notes).toContain(
      'made for the time being: machines.machine.openshift.io, clusters.cluster.k8s.io, machines.cluster.k8s.io, phaseouttestmachines.infrastructure.cluster.x-k8s.io, phaseouttestconfigs.bootstrap.cluster.x-k8s.io',
    );
    expect(cluster.list(definitions)).toEqual(before);
    expect(left()).toEqual([]);
  });

  test("where Cluster API's own controller runs no other stories are told", async (context) => {
    const { outside, apiServer, left } = await aServer(context);
    withClusterApi(apiServer, context);
    expect(await refusalOf(conformance(readOptions(['--only', 'control-plane']), outside))).toMatch(
      /Lease capi-system\/controller-leader-election-capi is renewed\) and would delete the Machines of the test as well: --beside tells the stories beside it/,
    );
    expect(left()).toEqual([]);
  });
});
