import { describe, expect, it } from 'vitest';
import { startControllers } from '../../../../infra/local/controllers/index.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { load } from '../../../../infra/local/load/load.ts';
import { aMachine, aNode, anAwsMachine, aPod } from '../../../builders/dump.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';

const url = 'http://127.0.0.1:4711';

/** An API server with these objects in it. */
function loaded(...objects: readonly KubeObject[]) {
  const clock = new VirtualClock(Date.parse('2026-01-03T00:00:00Z'));
  const apiServer = createApiServer({ clock });
  const manifests = objects.map((object, index) => ({ from: `dump.yaml:${index}`, object }));
  return { clock, apiServer, cluster: apiServer.cluster, ...load(apiServer, manifests, url) };
}

const names = (objects: readonly KubeObject[]): string[] => objects.map(({ metadata }) => metadata.name);

const thing = (kind: string, namespace?: string): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind,
  metadata: { name: 'x', ...(namespace !== undefined && { namespace }) },
});

const maker = (apiVersion: string, kind: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', namespace: 'fleet' },
});

describe('loading manifests', () => {
  it('keeps who an object is, who owns it, its status and its end', () => {
    const deletionTimestamp = '2026-01-02T00:00:00Z';
    const { cluster } = loaded(
      aMachine('a', { metadata: { deletionTimestamp, generation: 7 } }),
      anAwsMachine('a'),
    );
    expect(cluster.get('machines.cluster.x-k8s.io', 'fleet', 'a')).toMatchObject({
      metadata: {
        uid: 'machine-a',
        creationTimestamp: '2026-01-01T00:00:00Z',
        deletionTimestamp,
        generation: 7,
      },
      status: { phase: 'Running', nodeRef: { name: 'a' } },
    });
    expect(cluster.get('awsmachines.infrastructure.cluster.x-k8s.io', 'fleet', 'a')).toMatchObject({
      metadata: { uid: 'aws-a', ownerReferences: [{ uid: 'machine-a' }] },
      spec: { instanceType: 'm5.large' },
    });
  });

  it('says which of two objects of a name counts', () => {
    const apiServer = createApiServer({ clock: new VirtualClock(0) });
    const manifests = [
      {
        from: 'b.yaml:1',
        replaces: 'a.yaml:7',
        object: aPod('web', 'a', { kind: 'ReplicaSet', name: 'web' }),
      },
    ];
    const { notes } = load(apiServer, manifests, url);
    expect(notes).toContain(
      'given more than once, so the last one counts: Pod shop/web (b.yaml:1, not a.yaml:7)',
    );
  });

  it('leaves out what belongs to the other API server, but not who manages which field since when', () => {
    const { metadata } = loaded(aNode('a')).cluster.get('nodes', undefined, 'a')!;
    expect(metadata['managedFields']).toEqual([{ manager: 'x' }]);
    expect(metadata.resourceVersion).not.toBe('4711');
  });

  it('fills in what a manifest by hand does not say', () => {
    const object = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, status: { conditions: [] } };
    expect(loaded(object).cluster.get('nodes', undefined, 'a')?.metadata).toMatchObject({
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      creationTimestamp: '2026-01-03T00:00:00Z',
    });
  });

  it('puts an object in the place of one that is there', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid: 'mine' } };
    const { cluster } = loaded(namespace);
    expect(cluster.get('namespaces', undefined, 'kube-system')?.metadata.uid).toBe('mine');
  });

  it('makes namespaces that are missing', () => {
    expect(
      names(loaded(aPod('web-1', 'a', { kind: 'Job', name: 'x' })).cluster.list('namespaces')),
    ).toContain('shop');
  });

  it('makes up kinds nobody has defined, in the plural that Kubernetes would guess', () => {
    const { cluster } = loaded(thing('Policy', 'shop'), thing('Class'), thing('Widget', 'shop'));
    const resources = cluster.resources().filter((resource) => resource.endsWith('.example.com'));
    expect(resources.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'classes.example.com',
      'policies.example.com',
      'widgets.example.com',
    ]);
    expect(cluster.get('classes.example.com', undefined, 'x')?.metadata.namespace).toBeUndefined();
    expect(cluster.get('policies.example.com', 'shop', 'x')?.metadata.namespace).toBe('shop');
  });

  it('lets definitions among the manifests win', () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'oxen.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'oxen', kind: 'Ox' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    };
    const ox = { apiVersion: 'example.com/v1', kind: 'Ox', metadata: { name: 'x', namespace: 'shop' } };
    expect(names(loaded(ox, definition).cluster.list('oxen.example.com'))).toEqual(['x']);
  });

  it('gives every Cluster a kubeconfig that leads here', () => {
    const { cluster } = loaded(aMachine('a'));
    const secret = cluster.get('secrets', 'fleet', 'blue-kubeconfig');
    expect(Buffer.from(textAt(secret, 'data', 'value'), 'base64').toString()).toContain(url);
  });

  it('says which kinds of no matter were left out', () => {
    const { notes } = loaded({
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'x', namespace: 'shop' },
    });
    expect(notes).toContain('left out, of no matter here: 1 LimitRange');
  });

  it('says which kinds would make Machines elsewhere and make none here', () => {
    const { notes } = loaded(
      maker('cluster.x-k8s.io/v1beta2', 'MachineDeployment'),
      maker('cluster.k8s.io/v1alpha1', 'MachineDeployment'),
      maker('machine.openshift.io/v1', 'ControlPlaneMachineSet'),
      maker('example.com/v1', 'MachineDeployment'),
    );
    expect(notes).toContain(
      'no Machines are made here from 2 MachineDeployment, 1 ControlPlaneMachineSet: only MachineSets make them',
    );
  });

  it('refuses no dump because of an old version of MachineDrainRules', () => {
    const rule: KubeObject = {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'MachineDrainRule',
      metadata: { name: 'skip', namespace: 'fleet' },
      spec: { drain: { behavior: 'Skip' } },
    };
    expect(names(loaded(rule, aMachine('a')).cluster.list('machinedrainrules.cluster.x-k8s.io'))).toEqual([
      'skip',
    ]);
  });
});

describe('owners that a dump does not have', () => {
  it('do not cost their dependents their lives', async () => {
    const pod = aPod('web-1', 'a', { kind: 'ReplicaSet', name: 'web' });
    const { clock, cluster, unknownOwners } = loaded(aNode('a'), pod);
    expect(unknownOwners).toEqual(new Set(['owner-web']));
    const stop = startControllers(cluster, clock, { unknownOwners });
    await clock.advance(30_000);
    stop();
    expect(names(cluster.list('pods'))).toEqual(['web-1']);
  });

  it('are told from owners that go later', async () => {
    const owner = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'owner', namespace: 'shop', uid: 'owner-x' },
    };
    const pod = aPod('web-1', 'a', { kind: 'ConfigMap', name: 'x' });
    pod.metadata.ownerReferences[0]!.apiVersion = 'v1';
    const { clock, cluster, unknownOwners } = loaded(aNode('a'), owner, pod);
    const stop = startControllers(cluster, clock, { unknownOwners });
    await clock.advance(5_000);
    cluster.remove('configmaps', cluster.get('configmaps', 'shop', 'owner')!);
    await clock.advance(30_000);
    stop();
    expect(names(cluster.list('pods'))).toEqual([]);
  });
});
