import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { startLocalApi } from '../../../../infra/local/apis/local-api.ts';
import type { ExampleName } from '../../../../infra/local/examples/names.ts';
import { readExample } from '../../../../infra/local/examples/read-example.ts';
import { managementKinds, openShiftKinds, workloadKinds } from '../../../../infra/local/given/commands.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

async function served(name: ExampleName) {
  const manifests = await readExample(name);
  const api = await startLocalApi({ manifests, clock: new VirtualClock(0), random: () => 0.5 });
  onTestFinished(() => api.close());
  return api;
}

const groupsSchema = z.object({
  groups: z.array(z.object({ preferredVersion: z.object({ groupVersion: z.string() }) })),
});
const resourcesSchema = z.object({
  resources: z.array(z.object({ name: z.string(), shortNames: z.array(z.string()).optional() })),
});

/** The path of each kind, by every name that `kubectl get` takes it under. */
async function pathsByName(url: string): Promise<Map<string, string>> {
  const read = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();
  const { groups } = groupsSchema.parse(await read('/apis'));
  const paths = new Map<string, string>();
  for (const version of ['v1', ...groups.map((group) => group.preferredVersion.groupVersion)]) {
    const root = version === 'v1' ? '/api/v1' : `/apis/${version}`;
    for (const { name, shortNames = [] } of resourcesSchema.parse(await read(root)).resources)
      for (const each of [name, `${name}.${version.split('/')[0]}`, ...shortNames])
        paths.set(each, `${root}/${name}`);
  }
  return paths;
}

describe('the local platform', () => {
  it.each([
    ['capi', 'of the management cluster', managementKinds],
    ['capi', 'of the workload cluster', workloadKinds],
    ['openshift', 'of OpenShift', openShiftKinds],
    ['v1alpha1', 'of the workload cluster', workloadKinds],
  ] as const)(
    'serves, for the example %s, each kind that the advised dump %s asks for',
    async (name, _what, kinds) => {
      const { url } = await served(name);
      const paths = await pathsByName(url);
      const answers = kinds
        .split(',')
        .map(async (kind) => [kind, (await fetch(`${url}${paths.get(kind)}`)).status]);
      expect(await Promise.all(answers)).toEqual(kinds.split(',').map((kind) => [kind, 200]));
    },
  );

  it('writes a kubeconfig that the client library takes as it is', async () => {
    const { kubeconfig } = await served('capi');
    const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'kubeconfig'), kubeconfig);
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromFile(join(folder, 'kubeconfig'));
    const { items } = await kubeConfig.makeApiClient(CoreV1Api).listNode();
    expect(items.map(({ metadata }) => metadata?.name)).toContain('worker-1');
  });
});
