import { afterEach, describe, expect, it } from 'vitest';
import { aDefinition, aPlatform, meta, type Platform } from '../platform.ts';

const finalizer = 'machine.infrastructure.local.phaseout.dev';
const infrastructures = 'localmachines.infrastructure.cluster.x-k8s.io';
const bootstraps = 'localconfigs.bootstrap.cluster.x-k8s.io';

describe('the infrastructure provider', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  async function aProvider() {
    platform = aPlatform({ infrastructureSeconds: 5, nodeUnknownSeconds: 2 });
    const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
    platform.create(definitions, aDefinition('infrastructure.cluster.x-k8s.io', 'LocalMachine'));
    platform.create(definitions, aDefinition('bootstrap.cluster.x-k8s.io', 'LocalConfig'));
    await platform.seconds(1);
  }

  function add(
    resource: string,
    name: string,
    { finalizers = [finalizer], annotations = {}, spec = {} } = {},
  ) {
    const [kind, group] =
      resource === infrastructures ? ['LocalMachine', 'infrastructure'] : ['LocalConfig', 'bootstrap'];
    const apiVersion = `${group}.cluster.x-k8s.io/v1beta2`;
    platform.create(resource, { apiVersion, kind, metadata: meta(name, { finalizers, annotations }), spec });
  }

  const ready = () => platform.node('node-1').status!.conditions!.find(({ type }) => type === 'Ready');

  it.each([infrastructures, bootstraps])('lets go of %s after a while', async (resource) => {
    await aProvider();
    add(resource, 'one');
    platform.remove(resource, 'one');
    await platform.seconds(4.9);
    expect(platform.get(resource, 'one')).toBeDefined();
    await platform.seconds(0.1);
    expect(platform.get(resource, 'one')).toBeUndefined();
  });

  it('lets an object say how long it takes, and whether it ever goes', async () => {
    await aProvider();
    add(infrastructures, 'slow', { annotations: { 'local.phaseout.dev/stop-seconds': '60' } });
    add(infrastructures, 'stuck', { annotations: { 'local.phaseout.dev/never-stops': 'true' } });
    for (const name of ['slow', 'stuck']) platform.remove(infrastructures, name);
    await platform.seconds(59);
    expect(platform.get(infrastructures, 'slow')).toBeDefined();
    await platform.seconds(3600);
    expect(platform.get(infrastructures, 'slow')).toBeUndefined();
    expect(platform.get(infrastructures, 'stuck')).toBeDefined();
  });

  it('removes its own finalizer and no other', async () => {
    await aProvider();
    add(infrastructures, 'one', { finalizers: ['example.com/first', finalizer, 'example.com/last'] });
    platform.remove(infrastructures, 'one');
    await platform.seconds(60);
    const { finalizers } = platform.get(infrastructures, 'one')!.metadata;
    expect(finalizers).toEqual(['example.com/first', 'example.com/last']);
  });

  it('leaves living objects alone', async () => {
    await aProvider();
    add(infrastructures, 'one');
    await platform.seconds(3600);
    expect(platform.get(infrastructures, 'one')!.metadata.finalizers).toEqual([finalizer]);
  });

  it.each([
    ['of its provider id', 'machine-1', { providerID: 'local://1' }],
    ['of its name', 'node-1', {}],
  ])('switches off the Node %s', async (_, name, spec) => {
    await aProvider();
    platform.addNode('node-1', { providerID: 'local://1' });
    add(infrastructures, name, { spec });
    platform.remove(infrastructures, name);
    await platform.seconds(6.9);
    expect(ready()!.status).toBe('True');
    await platform.seconds(0.1);
    expect(ready()).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    });
  });

  it('leaves the Node running when only its bootstrap configuration is gone', async () => {
    await aProvider();
    platform.addNode('node-1');
    add(bootstraps, 'node-1');
    platform.remove(bootstraps, 'node-1');
    await platform.seconds(60);
    expect(ready()!.status).toBe('True');
  });
});
