import { expect, onTestFinished, test, vi } from 'vitest';
import type { FactEvent } from '../../../../events/types.ts';
import { startLocalApi } from '../../../../infra/local/apis/local-api.ts';
import { startControllers } from '../../../../infra/local/controllers/index.ts';
import { exampleHook, serveExampleHook } from '../../../../infra/local/examples/hook-function.ts';
import { readExample } from '../../../../infra/local/examples/read-example.ts';
import { bringUp } from '../../../../infra/local/platform/bring-up.ts';
import { makeHookKey } from '../../../../infra/local/platform/hook-key.ts';
import { startHost } from '../../../../infra/local/platform/host.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import { quickClock } from '../../cli/quick-clock.ts';

const machines = 'machines.cluster.x-k8s.io';

const report = (error: unknown): never => {
  throw error;
};

/** A cluster with the example fleet, whose functions and hook function may be started again and again. */
async function aCluster() {
  const clock = quickClock(8);
  const api = await startLocalApi({ manifests: await readExample('hooks'), clock, random: Math.random });
  onTestFinished(() => api.close());
  await bringUp(api, clock);
  const { cluster } = api.apiServer;
  onTestFinished(startControllers(cluster, clock, { report, unknownOwners: api.unknownOwners }));
  const env = makeHookKey(api.apiServer);
  const facts: FactEvent[] = [];

  async function start() {
    const hookFunction = await serveExampleHook(clock);
    const host = await startHost({
      kubeConfig: loadKubeConfig({ text: api.kubeconfig }),
      clock,
      random: Math.random,
      log: silent,
      env,
      hooks: [{ hook: exampleHook, url: hookFunction.url }],
      onFact: (fact) => void facts.push(fact),
    });
    return async () => {
      await host.close();
      await hookFunction.close();
    };
  }
  const machine = () => cluster.get(machines, 'fleet', 'worker-2');
  return { cluster, start, facts, machine };
}

test('a turn goes on where it was when phaseout and the function are restarted', async () => {
  const { cluster, start, facts, machine } = await aCluster();
  const stop = await start();
  cluster.remove(machines, machine()!);
  const shown = () => JSON.stringify(machine());
  await vi.waitFor(() => expect(shown()).toContain('moving 42 placement groups'), { timeout: 30_000 });
  const asked = machine()?.metadata.annotations?.['phaseout.dev/hooks'];
  expect(asked).toContain('take-out-osd');
  await stop();

  const again = await start();
  await vi.waitFor(() => expect(machine()).toBeUndefined(), { timeout: 60_000 });
  await again();
  const ends = facts.filter(({ type }) => type === 'dev.phaseout.hook.ended.v1');
  expect(ends.map(({ data }) => data)).toMatchObject([{ hook: exampleHook, as: 'Done' }]);
});
