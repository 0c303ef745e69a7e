import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { MachineUnreadable } from '../../../../shared/dialects/dialect.ts';
import { aRawMachine, aRawV1Beta1Machine, deletedAt } from '../../../builders/cluster-api.ts';

const labels = { 'cluster.x-k8s.io/control-plane': '' };

describe('a Machine is read', () => {
  test('from v1beta2', () => {
    const raw = aRawMachine({
      metadata: { labels },
      spec: { deletion: { nodeDrainTimeoutSeconds: 25, nodeDeletionTimeoutSeconds: 0 } },
    });
    expect(clusterApi.read(raw)).toEqual({
      ref: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' },
      resourceVersion: '7',
      generation: 2,
      labels,
      annotations: {},
      finalizers: ['machine.cluster.x-k8s.io'],
      deletionTimestamp: deletedAt,
      clusterName: 'c',
      providerId: 'x://m-1',
      nodeName: 'node-1',
      isControlPlane: true,
      drainTimeoutSeconds: 25,
      nodeDeletionTimeoutSeconds: 0,
      infrastructure: { group: 'infra.example', kind: 'Server', namespace: 'default', name: 'm-1' },
      bootstrap: { group: 'boot.example', kind: 'Config', namespace: 'default', name: 'm-1' },
      raw,
    });
  });

  test('from v1beta1', () => {
    const spec = { nodeDrainTimeout: '1m0s', nodeVolumeDetachTimeout: '999ms', nodeDeletionTimeout: '-1s' };
    const machine = clusterApi.read(aRawV1Beta1Machine({ spec }));
    expect(machine).toMatchObject({
      drainTimeoutSeconds: 60,
      volumeDetachTimeoutSeconds: 0,
      nodeDeletionTimeoutSeconds: -1,
      infrastructure: {
        group: 'infra.example',
        version: 'v1beta1',
        kind: 'Server',
        namespace: 'default',
        name: 'm-1',
      },
    });
  });

  test('without what it need not have', () => {
    const machine = clusterApi.read(
      aRawMachine({
        metadata: { deletionTimestamp: undefined },
        spec: { providerID: '', bootstrap: { dataSecretName: 's' } },
        status: { nodeRef: undefined },
      }),
    );
    expect(Object.keys(machine)).toEqual([
      'ref',
      'resourceVersion',
      'generation',
      'labels',
      'annotations',
      'finalizers',
      'clusterName',
      'isControlPlane',
      'infrastructure',
      'raw',
    ]);
  });

  test('with references that name another namespace or the core group', () => {
    const infrastructureRef = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'other' };
    const machine = clusterApi.read(aRawV1Beta1Machine({ spec: { infrastructureRef } }));
    expect(machine.infrastructure).toEqual({
      group: '',
      version: 'v1',
      kind: 'ConfigMap',
      namespace: 'other',
      name: 'a',
    });
  });
});

const { apiVersion: _, ...versionless } = aRawMachine();

test.each([
  ['no cluster', aRawMachine({ spec: { clusterName: undefined } }), 'spec.clusterName'],
  ['an empty cluster', aRawMachine({ spec: { clusterName: '' } }), 'spec.clusterName'],
  ['no UID', aRawMachine({ metadata: { uid: undefined } }), 'metadata.uid'],
  ['no infrastructure', aRawMachine({ spec: { infrastructureRef: undefined } }), 'spec.infrastructureRef'],
  [
    'a reference without a group',
    aRawMachine({ spec: { infrastructureRef: { kind: 'A', name: 'a' } } }),
    'spec.infrastructureRef: neither apiGroup nor apiVersion is set',
  ],
  [
    'a bootstrap reference without a name',
    aRawMachine({ spec: { bootstrap: { configRef: { apiGroup: 'g', kind: 'A' } } } }),
    'spec.bootstrap.configRef.name',
  ],
  [
    'half a second',
    aRawMachine({ spec: { deletion: { nodeDrainTimeoutSeconds: 0.5 } } }),
    'spec.deletion.nodeDrainTimeoutSeconds',
  ],
  [
    'a number for a duration',
    aRawV1Beta1Machine({ spec: { nodeDrainTimeout: 10 } }),
    'spec.nodeDrainTimeout',
  ],
  [
    'days for a duration',
    aRawV1Beta1Machine({ spec: { nodeDeletionTimeout: '1d' } }),
    'spec.nodeDeletionTimeout: "1d" is not a duration',
  ],
  ['no version', versionless, 'apiVersion: "" is not supported'],
  ['an unknown version', aRawMachine({ apiVersion: 'cluster.x-k8s.io/v1alpha4' }), 'apiVersion'],
])('a Machine with %s is refused, and the field is named', (_what, raw, field) => {
  expect(() => clusterApi.read(raw)).toThrow(MachineUnreadable);
  expect(() => clusterApi.read(raw)).toThrow(expect.objectContaining({ name: 'MachineUnreadable' }));
  expect(() => clusterApi.read(raw)).toThrow(`Machine default/m-1 cannot be read: ${field}`);
});
