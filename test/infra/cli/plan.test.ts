import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { startLocalApi } from '../../../infra/local/apis/local-api.ts';
import { readExample } from '../../../infra/local/examples/read-example.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { bringUp } from '../../../infra/local/platform/bring-up.ts';
import { startProvider } from '../../../infra/local/provider/serve.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { anActuator } from '../../builders/actuator.ts';
import { aDump, aKubeconfigSecret, aMachine, aNode, anAwsMachine, aPod } from '../../builders/dump.ts';
import { anOutside, parsed, phaseout } from './outside.ts';

/** Generated names end differently every time. */
const withoutSuffixes = (lines: string[]): string[] =>
  lines.map((line) =>
    line.replaceAll(/(-[0-9a-z]{10})?-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '').replaceAll(/ +/g, ' '),
  );

describe('the plan for a Machine of the example fleet', () => {
  it('reads as a report', async () => {
    const { code, lines } = await phaseout('plan', 'fleet/worker-1', '--example');
    expect(code).toBe(0);
    expect(withoutSuffixes(lines).slice(0, 28)).toEqual([
      'Deleting Machine fleet/worker-1',
      '',
      'Phases',
      ' pre-drain blocks Waiting for pre-drain hooks to succeed (hooks: pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic)',
      ' drain runs 7 Pods have to go, in 4 batches',
      ' volume-detach blocks volumes are attached to the Node',
      ' pre-terminate blocks Waiting for pre-terminate hooks to succeed (hooks: pre-terminate.delete.hook.machine.cluster.x-k8s.io/back-up-logs)',
      ' infrastructure runs LocalMachine worker-1 is deleted',
      ' bootstrap runs LocalBootstrapConfig worker-1 is deleted',
      ' node runs Node worker-1 is deleted',
      ' finalize runs the finalizer machine.cluster.x-k8s.io is removed',
      '',
      'Hooks that their owners have to remove',
      ' pre-drain pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic local-hook-owner',
      ' pre-terminate pre-terminate.delete.hook.machine.cluster.x-k8s.io/back-up-logs local-hook-owner',
      '',
      'Pods on the Node: 9; 7 leave in 4 batches',
      ' BATCH POD BEHAVIOR ORDER BECAUSE OF',
      ' 1 shop/cache Drain -5 MachineDrainRule caches-first',
      ' 2 shop/web Drain -1 MachineDrainRule frontends-early',
      ' 2 shop/web Drain -1 MachineDrainRule frontends-early',
      ' 3 shop/api Drain 0 default',
      ' 3 shop/report WaitCompleted 0 label cluster.x-k8s.io/drain=wait-completed',
      ' 4 shop/database-1 Drain 10 MachineDrainRule storage-last',
      ' 4 shop/database-3 Drain 10 MachineDrainRule storage-last',
      ' - kube-system/kube-proxy-worker-1 Skip - mirror Pod',
      ' - kube-system/node-agent Skip - DaemonSet kube-system/node-agent',
      ' kube-system/node-agent: ignoring DaemonSet-managed Pod',
    ]);
  });

  it('is one JSON object when asked for', async () => {
    const { code, stdout } = await phaseout('plan', 'fleet/worker-1', '--example', '-o', 'json');
    const plan = parsed<DeletionPlan>(stdout);
    expect(code).toBe(0);
    expect(plan.machine).toMatchObject({ namespace: 'fleet', name: 'worker-1' });
    expect(plan.batches.map(({ order }) => order)).toEqual([-5, -1, 0, 10]);
    expect(plan.volumes).toEqual([
      { kind: 'PersistentVolumeClaim', name: 'shop/data-database-1' },
      { kind: 'PersistentVolumeClaim', name: 'shop/data-database-3' },
    ]);
  });

  it('does not exist for a Machine that does not, and says which are near', async () => {
    const { code, stdout, stderr } = await phaseout('plan', 'fleet/worker-9', '--example');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'phaseout: there is no Machine fleet/worker-9. Did you mean fleet/worker-1, fleet/worker-2 or fleet/worker-3? (of 4 Machines)\n',
    });
  });
});

describe('the plan for a Machine of a dump', () => {
  it.each(['v1beta2', 'v1beta1'] as const)('takes the Pods as they are in a dump of %s', async (version) => {
    const { outside, written, folder } = await anOutside();
    const path = await aDump(folder, [
      aMachine('a', { version }),
      anAwsMachine('a'),
      aNode('a'),
      aPod('agent-1', 'a', { kind: 'DaemonSet', name: 'agent' }),
      aPod('web-1', 'a', { kind: 'ReplicaSet', name: 'web' }),
      aPod('web-2', 'b', { kind: 'ReplicaSet', name: 'web' }),
    ]);
    const code = await main(['plan', 'fleet/a', '--load', path, '-o', 'json'], outside);
    const plan = parsed<DeletionPlan>(written.stdout);
    expect({ code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(plan.machine).toEqual({
      apiVersion: `cluster.x-k8s.io/${version}`,
      namespace: 'fleet',
      name: 'a',
      uid: 'machine-a',
    });
    expect(plan.pods.map(({ name, behavior }) => ({ name, behavior }))).toEqual([
      { name: 'agent-1', behavior: 'Skip' },
      { name: 'web-1', behavior: 'Drain' },
    ]);
    expect(plan.phases.find(({ phase }) => phase === 'infrastructure')).toEqual({
      phase: 'infrastructure',
      does: 'work',
      why: 'AWSMachine a is deleted',
    });
  });

  it('goes on from where a deletion stands that has begun', async () => {
    const { outside, written, folder } = await anOutside();
    const since = '2026-01-01T00:00:05Z';
    const checkpoint = { v: 1, uid: 'machine-a', seq: 2, phase: 'infrastructure', since, passed: {} };
    const metadata = {
      deletionTimestamp: '2026-01-01T00:00:00Z',
      annotations: { 'phaseout.dev/checkpoint': JSON.stringify(checkpoint) },
    };
    const path = await aDump(folder, [aMachine('a', { metadata }), anAwsMachine('a'), aNode('a')]);
    const code = await main(['plan', 'fleet/a', '--load', path], outside);
    expect(code).toBe(0);
    const lines = written.stdout.split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'Deleting Machine fleet/a',
      `  it is in the phase infrastructure, which began at ${since}`,
    ]);
    expect(withoutSuffixes(lines)).toContain(' drain passed it is done');
  });

  it.each(['v1beta2', 'v1beta1'] as const)(
    'does not drain again where a dump of %s says that the wait for pre-terminate hooks has begun',
    async (version) => {
      const { outside, written, folder } = await anOutside();
      const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
      const machine = aMachine('a', { version, metadata });
      const deletion = { waitForPreTerminateHookStartTime: '2026-01-01T00:00:05Z' };
      const path = await aDump(folder, [
        { ...machine, status: { ...machine.status, deletion } },
        anAwsMachine('a'),
        aNode('a'),
        aPod('web-1', 'a', { kind: 'ReplicaSet', name: 'web' }),
      ]);
      const code = await main(['plan', 'fleet/a', '--load', path, '-o', 'json'], outside);
      const { phases } = parsed<DeletionPlan>(written.stdout);
      expect({ code, drain: phases.find(({ phase }) => phase === 'drain') }).toEqual({
        code: 0,
        drain: { phase: 'drain', does: 'skip', why: 'pre-terminate hooks have been waited for' },
      });
    },
  );

  it('knows the Pods of a run where the manifests only say which there should be', async () => {
    const { outside, written } = await anOutside();
    const path = new URL('../../../infra/local/examples/capi.yaml', import.meta.url).pathname;
    const code = await main(['plan', 'fleet/worker-1', '--load', path, '-o', 'json'], outside);
    expect({ code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(parsed<DeletionPlan>(written.stdout).batches.map(({ order }) => order)).toEqual([-5, -1, 0, 10]);
  });

  it('never contacts the cluster that the dump was taken from', async () => {
    let contacts = 0;
    const real = createServer((_request, response) => {
      contacts += 1;
      response.end('{}');
    });
    const server = await listenLocally(real);
    onTestFinished(() => void real.close());
    const { outside, written, folder } = await anOutside();
    const path = await aDump(folder, [aKubeconfigSecret(server), aMachine('a'), aNode('a')]);
    const code = await main(['plan', 'fleet/a', '--load', path], outside);
    expect({ code, contacts }).toEqual({ code: 0, contacts: 0 });
    expect(written.stderr.trimEnd().split('\n')).toEqual([
      'kubeconfig Secrets replaced by ones for the local API (1): no other cluster is contacted',
      'not in the manifests, so assumed to be there: 1 Cluster, 1 AWSMachine, 1 ControlPlane',
      'none in the dump: there are none, or they were not asked for: MachineDrainRule, Pod, PodDisruptionBudget, VolumeAttachment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration',
    ]);
  });
});

describe('the plan for a Machine of a real cluster', () => {
  it('only reads', async () => {
    const api = await startLocalApi({
      manifests: await readExample('capi'),
      clock: systemClock,
      random: Math.random,
    });
    onTestFinished(() => api.close());
    await bringUp(api, systemClock);
    const { outside, written, folder } = await anOutside();
    const path = join(folder, 'kubeconfig');
    await writeFile(path, api.kubeconfig);
    const code = await main(
      ['plan', 'fleet/worker-2', '--kubeconfig', path, '--context', 'phaseout'],
      outside,
    );
    expect({ code, first: written.stdout.split('\n')[0] }).toEqual({
      code: 0,
      first: 'Deleting Machine fleet/worker-2',
    });
    expect([...new Set(api.apiServer.requests().map(({ verb }) => verb))].toSorted()).toEqual([
      'get',
      'list',
    ]);
  });

  it('asks the provider whether the server exists, with the token from its Secret, and nothing else', async () => {
    const actuator = anActuator({ exists: [{ kind: 'absent' }] });
    const provider = await startProvider({ cloud: actuator, token: 's3cret' });
    onTestFinished(() => provider.close());
    const api = await startLocalApi({
      manifests: [...(await readExample('openshift')), { from: 'a test', object: aTokenSecret }],
      clock: systemClock,
      random: Math.random,
    });
    onTestFinished(() => api.close());
    const env = { PHASEOUT_ACTUATOR_URL: provider.url, PHASEOUT_ACTUATOR_SECRET: 'vault/token' };
    const { outside, written, folder } = await anOutside({ env });
    const path = join(folder, 'kubeconfig');
    await writeFile(path, api.kubeconfig);
    const machine = 'openshift-machine-api/worker-1';
    const code = await main(['plan', machine, '--kubeconfig', path, '-o', 'json'], outside);
    expect({ code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(actuator.asked).toEqual(['exists 3ac10000-0000-4000-8000-000000000011']);
    expect(parsed<DeletionPlan>(written.stdout).phases).toContainEqual({
      phase: 'infrastructure',
      does: 'pass',
      why: 'the provider knows of no instance',
    });
  });
});

const aTokenSecret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'token', namespace: 'vault' },
  data: { token: Buffer.from('s3cret').toString('base64') },
};
