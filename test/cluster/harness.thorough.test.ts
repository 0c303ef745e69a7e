import { describe, expect, test, type TestContext } from 'vitest';
import { startControllers } from '../../infra/local/controllers/index.ts';
import { type ApiServer, createApiServer } from '../../infra/local/kubernetes/server/api-server.ts';
import type { AuditEntry } from '../../infra/local/kubernetes/authorization/audit.ts';
import { masters } from '../../infra/local/kubernetes/authorization/user.ts';
import { clusterApiDefinitions } from '../../infra/local/kubernetes/crds/cluster-api.ts';
import { customResourceDefinition } from '../../infra/local/kubernetes/crds/definition.ts';
import { machineV1beta1 } from '../../infra/local/kubernetes/crds/machine-schema.ts';
import { listen } from '../../infra/local/kubernetes/server/http.ts';
import { kubeconfigFor } from '../../infra/local/load/kubeconfig.ts';
import { loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { conformance, type Outside } from './conformance.ts';
import { readOptions } from './options.ts';
import type { Result } from './report.ts';

interface Stage {
  apiServer: ApiServer;
  outside: Outside;
  audit: AuditEntry[];
  notes: string[];
  interrupt: () => void;
  /** Names of whatever a run makes that is in no namespace, and the namespaces. */
  left: () => string[];
}

/** An API server with RBAC and what kube-controller-manager runs; no kubelets. */
async function aServer({ onTestFinished }: TestContext): Promise<Stage> {
  const audit: AuditEntry[] = [];
  const users = { local: { name: 'somebody', groups: [masters] } };
  const access = { users, audit: (entry: AuditEntry) => void audit.push(entry) };
  const apiServer = createApiServer({ clock: systemClock, access });
  const listening = await listen(apiServer);
  const only = ['namespace', 'service-account', 'disruption', 'garbage-collector'] as const;
  const stop = startControllers(apiServer.cluster, systemClock, { only, report: () => undefined });
  onTestFinished(async () => {
    stop();
    await listening.close();
  });
  const notes: string[] = [];
  const interruption = new AbortController();
  const outside: Outside = {
    kubeConfig: loadKubeConfig({ text: kubeconfigFor(listening.url) }),
    clock: systemClock,
    interrupted: interruption.signal,
    report: { note: (text) => void notes.push(text), result: () => undefined, end: () => undefined },
    env: {},
    random: 'abcde',
  };
  const left = (): string[] =>
    apiServer.cluster
      .resources()
      .flatMap((resource) => apiServer.cluster.list(resource))
      .filter(({ metadata }) => JSON.stringify(metadata).includes('abcde'))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return { apiServer, outside, audit, notes, left, interrupt: () => interruption.abort() };
}

const outcomesOf = (results: readonly Result[]): string[] =>
  results.map(({ story, way, outcome }) =>
    [way, story, outcome.kind, 'why' in outcome ? outcome.why : ''].join(' ').trim(),
  );

const refusalOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** As before Cluster API 1.9, or with a version that nobody knows. */
const oldMachines = (version: string) =>
  customResourceDefinition({
    group: 'cluster.x-k8s.io',
    kind: 'Machine',
    plural: 'machines',
    versions: [{ name: version, schema: withoutNewConditions, subresources: { status: {} } }],
  });

const { status, ...others } = machineV1beta1.properties ?? {};
const kept = Object.entries(status?.properties ?? {}).filter(([name]) => name !== 'v1beta2');
const withoutNewConditions = {
  ...machineV1beta1,
  properties: { ...others, status: { ...status, properties: Object.fromEntries(kept) } },
};

// Nearly all that they do is wait, so they do it at the same time.
describe.concurrent('the harness, on an API server in this process', { timeout: 120_000 }, () => {
  test('a story is told in both ways, nothing is forbidden to a ServiceAccount, and nothing is left', async (context) => {
    const { outside, audit, left } = await aServer(context);
    const options = readOptions(['--only', 'control-plane', '--timeout', '100']);
    const results = await conformance(options, outside);
    expect(outcomesOf(results)).toEqual([
      'run control-plane passed',
      'manifests control-plane passed',
      'clean-up passed',
    ]);
    const accounts = audit.filter(({ user }) => user.startsWith('system:serviceaccount:phaseout-test-abcde'));
    expect(accounts.filter(({ decision }) => decision === 'forbid')).toEqual([]);
    expect([...new Set(accounts.map(({ user }) => user.split(':').slice(2).join(':')))].toSorted()).toEqual([
      'phaseout-test-abcde-workload:phaseout',
      'phaseout-test-abcde:phaseout',
      'phaseout-test-abcde:phaseout-run',
      'phaseout-test-abcde:phaseout-sources',
    ]);
    expect(left()).toEqual([]);
  });

  test('interrupted in the middle of it, it takes everything away and tells no further story', async (context) => {
    const { outside, apiServer, interrupt, left } = await aServer(context);
    const stop = apiServer.cluster.watch('pods', ({ type }) => {
      if (type === 'ADDED') interrupt();
    });
    context.onTestFinished(stop);
    const options = readOptions(['--only', 'late-hook', '--way', 'run']);
    expect(await refusalOf(conformance(options, outside))).toBe('interrupted');
    expect(left()).toEqual([]);
  });

  test('where somebody else has Machines it does not run, unless it is confined to namespaces of its own', async (context) => {
    const { outside, apiServer, left } = await aServer(context);
    for (const definition of clusterApiDefinitions)
      apiServer.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
    apiServer.cluster.create('namespaces', { metadata: { name: 'theirs' } });
    const metadata = { name: 'theirs-1', namespace: 'theirs', finalizers: ['machine.cluster.x-k8s.io'] };
    const spec = {
      clusterName: 'theirs',
      bootstrap: { dataSecretName: 'a' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'A', name: 'a' },
    };
    const machine = apiServer.cluster.create('machines.cluster.x-k8s.io', { metadata, spec });
    apiServer.cluster.remove('machines.cluster.x-k8s.io', machine);
    const before = apiServer.cluster.get('machines.cluster.x-k8s.io', 'theirs', 'theirs-1');
    expect(await refusalOf(conformance(readOptions(['--only', 'control-plane']), outside))).toMatch(
      /has 1 Machines of somebody else \(theirs\/theirs-1/,
    );
    expect(left()).toEqual([]);

    const options = readOptions(['--only', 'control-plane', '--beside-machines', '--timeout', '100']);
    expect(outcomesOf(await conformance(options, outside))).toEqual([
      'run control-plane not run phaseout run looks after the Machines of all namespaces, and there are others',
      'manifests control-plane passed',
      'clean-up passed',
    ]);
    expect(apiServer.cluster.get('machines.cluster.x-k8s.io', 'theirs', 'theirs-1')).toEqual(before);
    expect(left()).toEqual([]);
  });

  test('an older Cluster API is told of in its own version, as far as it can say how a deletion is', async (context) => {
    const { outside, apiServer, notes, left } = await aServer(context);
    apiServer.cluster.create('customresourcedefinitions.apiextensions.k8s.io', oldMachines('v1beta1'));
    const options = readOptions(['--only', 'late-hook', 'control-plane', '--timeout', '40']);
    const why =
      'Machines of Cluster API have v1beta1 alone here, without status.v1beta2, where Cluster API 1.9 says how far a deletion is';
    expect(outcomesOf(await conformance(options, outside)).toSorted()).toEqual([
      'clean-up passed',
      'manifests control-plane passed',
      `manifests late-hook not run ${why}`,
      'run control-plane passed',
      `run late-hook not run ${why}`,
    ]);
    expect(notes).toContain('Machine APIs that are there: cluster.x-k8s.io/v1beta1; admission policies: yes');
    expect(left()).toEqual([]);
  });

  test('where Machines are served in no version that is known it does not run', async (context) => {
    const { outside, apiServer } = await aServer(context);
    apiServer.cluster.create('customresourcedefinitions.apiextensions.k8s.io', oldMachines('v1alpha4'));
    expect(await refusalOf(conformance(readOptions([]), outside))).toMatch(
      /serves Machines of cluster\.x-k8s\.io in v1alpha4, which is not known here/,
    );
  });
});
