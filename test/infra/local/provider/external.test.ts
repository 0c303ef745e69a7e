import { expect, onTestFinished, test } from 'vitest';
import { startLocalApi } from '../../../../infra/local/apis/local-api.ts';
import type { ExampleName } from '../../../../infra/local/examples/names.ts';
import { readExample } from '../../../../infra/local/examples/read-example.ts';
import { createCloud, providedMachines } from '../../../../infra/local/provider/cloud.ts';
import { providerIdIn } from '../../../../infra/local/provider/identity.ts';
import { openGivenProvider } from '../../../../infra/local/provider/local-provider.ts';
import { startProvider } from '../../../../infra/local/provider/serve.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

const options = { clock: systemClock, random: () => 0.5 };

/** A provider that names its servers itself. */
async function aProvider() {
  const cloud = createCloud(options);
  const named: typeof cloud = {
    ...cloud,
    async create(target) {
      await cloud.create(target);
      return { kind: 'done', report: { providerID: `other:///${target.machine.metadata.name}` } };
    },
  };
  const provider = await startProvider({ cloud: named });
  onTestFinished(async () => {
    cloud.close();
    await provider.close();
  });
  return provider.url;
}

async function anExample(name: ExampleName) {
  const api = await startLocalApi({ ...options, manifests: await readExample(name) });
  onTestFinished(() => api.close());
  return api;
}

test.each<[ExampleName, string, string]>([
  ['openshift', 'machines.machine.openshift.io', 'openshift-machine-api'],
  ['v1alpha1', 'machines.cluster.k8s.io', 'machines'],
])(
  'the Machines of the example %s and their Nodes go by the ids of the provider',
  async (name, resource, namespace) => {
    const api = await anExample(name);
    const { cluster } = api.apiServer;
    const before = cluster.get(resource, namespace, 'worker-1');
    const env = { PHASEOUT_ACTUATOR_URL: await aProvider() };
    const provider = await openGivenProvider(api, providedMachines(api.apiServer)!, {
      ...options,
      log: silent,
      env,
    });
    onTestFinished(() => provider.close());

    const machine = cluster.get(resource, namespace, 'worker-1');
    expect(machine).toMatchObject({
      metadata: { uid: before?.metadata.uid },
      spec: { providerID: 'other:///worker-1' },
      status: { nodeRef: { name: 'worker-1' } },
    });
    const ids = (kind: string) => new Set(cluster.list(kind).map(providerIdIn));
    expect(ids('nodes')).toEqual(ids(resource));
  },
);
