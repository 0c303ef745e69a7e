import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FactEvent } from '../../../../events/types.ts';
import type { ExampleName } from '../../../../infra/local/examples/names.ts';
import { readExample } from '../../../../infra/local/examples/read-example.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { type PlatformOptions, startPlatform } from '../../../../infra/local/platform/platform.ts';
import { ConfigInvalid } from '../../../../shared/runtime/config.ts';
import { quickClock } from '../../cli/quick-clock.ts';

const machines = 'machines.cluster.x-k8s.io';

async function aPlatform(options: Partial<PlatformOptions> = {}) {
  const facts: FactEvent[] = [];
  const over = Promise.withResolvers<void>();
  const platform = await startPlatform({
    clock: quickClock(8),
    random: Math.random,
    onFact(fact) {
      facts.push(fact);
      if (fact.type === 'dev.phaseout.deletion.completed.v1') over.resolve();
    },
    ...options,
  });
  onTestFinished(() => platform.close());
  return { platform, facts, over: over.promise };
}

async function tokenIn(name: ExampleName) {
  const { platform } = await aPlatform({ manifests: await readExample(name) });
  return platform.apiServer.cluster.get('secrets', 'phaseout', 'provider-token');
}

describe('the local platform', () => {
  it('carries a deletion through events alone, from the API server to the finalizer', async () => {
    const { platform, facts, over } = await aPlatform();
    const { cluster } = platform.apiServer;
    cluster.remove(machines, cluster.get(machines, 'fleet', 'worker-3')!);
    await over;
    expect(facts.map(({ data: { machine } }) => machine.name).every((name) => name === 'worker-3')).toBe(
      true,
    );
    expect(facts[0]?.type).toBe('dev.phaseout.deletion.started.v1');
    const passed = facts.flatMap((fact) =>
      fact.type === 'dev.phaseout.deletion.advanced.v1' ? [`${fact.data.from} ${fact.data.as}`] : [],
    );
    expect(passed).toEqual([
      'drain done',
      'volume-detach done',
      'infrastructure done',
      'bootstrap done',
      'node done',
    ]);
    expect(cluster.get('nodes', undefined, 'worker-3')).toBeUndefined();
    expect(platform.deadLetters()).toEqual([]);
  });

  it('counts what is asked of the API: by the functions, by the sources, and through its own connection', async () => {
    const { platform, over } = await aPlatform();
    const { cluster } = platform.apiServer;
    cluster.remove(machines, cluster.get(machines, 'fleet', 'worker-3')!);
    await over;
    await platform.kubernetes.list({ group: 'apps', version: 'v1', plural: 'replicasets' });
    const requests = platform.requests();
    expect(requests).toContainEqual({ verb: 'delete', resource: 'nodes', count: 1 });
    expect(requests).toContainEqual({ verb: 'watch', resource: machines, count: 1 });
    expect(requests).toContainEqual({ verb: 'list', resource: 'replicasets.apps', count: 1 });
  });

  it('hands what its Broker gives up to the function that hears of it', async () => {
    const { platform } = await aPlatform();
    const command = { specversion: '1.0', id: 'a', source: '/t', type: 'dev.phaseout.deletion.advance.v1' };
    const attributes = { ...command, phase: 'drain', datacontenttype: 'application/json' };
    await platform.publish({ attributes, data: new TextEncoder().encode('{}') });
    await vi.waitFor(() => expect(platform.deadLetters()).toHaveLength(1));
    expect(platform.deadLetters()).toMatchObject([{ attempts: 1, status: 400, end: 'in sink' }]);
  });

  it('has all Pods of the fleet running when it is up', async () => {
    const { platform } = await aPlatform();
    const pods = platform.apiServer.cluster.list('pods');
    expect(pods.length).toBeGreaterThan(20);
    expect(pods.map((pod) => textAt(pod, 'status', 'phase'))).toEqual(pods.map(() => 'Running'));
  });

  it('listens no more when it is closed', async () => {
    const { platform } = await aPlatform();
    await fetch(`${platform.url}/version`).then((response) => response.text());
    await platform.close();
    await expect(fetch(`${platform.url}/version`)).rejects.toThrow('fetch failed');
  });

  it('refuses a configuration that is none, and leaves nothing running', async () => {
    const starting = aPlatform({ env: { PHASEOUT_WAKE_UPS: 'perhaps' } });
    await expect(starting).rejects.toThrow(ConfigInvalid);
    await expect(starting).rejects.toThrow('PHASEOUT_WAKE_UPS must be true or false, not "perhaps"');
  });

  it('finishes without wake-ups, by its sweep alone', async () => {
    const { platform, over } = await aPlatform({
      clock: quickClock(24),
      env: { PHASEOUT_WAKE_UPS: 'false', PHASEOUT_LOOK_AGAIN_SECONDS: '2' },
    });
    const { cluster } = platform.apiServer;
    cluster.remove(machines, cluster.get(machines, 'fleet', 'worker-3')!);
    await over;
    expect(cluster.get(machines, 'fleet', 'worker-3')).toBeUndefined();
  });

  it("keeps the provider's token where it keeps servers, and nowhere else", async () => {
    expect(await tokenIn('capi')).toBeUndefined();
    expect(await tokenIn('v1alpha1')).toMatchObject({
      data: { token: expect.stringMatching(/^[\w=]{40,}$/) },
    });
  });

  it('makes a server for a Machine of v1alpha1, whose Node joins', async () => {
    const { platform } = await aPlatform({ manifests: await readExample('v1alpha1') });
    const { cluster } = platform.apiServer;
    const machine = {
      apiVersion: 'cluster.k8s.io/v1alpha1',
      kind: 'Machine',
      spec: { providerSpec: { value: {} } },
    };
    const labels = { 'cluster.k8s.io/cluster-name': 'green' };
    cluster.create('machines.cluster.k8s.io', {
      ...machine,
      metadata: { name: 'extra', namespace: 'machines', labels },
    });
    await expect.poll(() => cluster.get('nodes', undefined, 'extra'), { timeout: 10_000 }).toBeDefined();
    const made = (): object | undefined => cluster.get('machines.cluster.k8s.io', 'machines', 'extra');
    await expect.poll(made, { timeout: 10_000 }).toMatchObject({
      metadata: { finalizers: ['foregroundDeletion', 'machine.cluster.k8s.io'] },
      spec: { providerID: expect.stringMatching(/^local:/) },
      status: { nodeRef: { name: 'extra' } },
    });
  });
});
