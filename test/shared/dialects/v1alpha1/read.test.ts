import { describe, expect, test } from 'vitest';
import { MachineUnreadable } from '../../../../shared/dialects/dialect.ts';
import { originalApi } from '../../../../shared/dialects/v1alpha1/index.ts';
import { after } from '../../../builders/cluster-api.ts';
import {
  aLivingOriginal,
  anOriginal,
  aRawOriginal,
  finalizer,
  foreground,
} from '../../../builders/v1alpha1.ts';

describe('a Machine of v1alpha1', () => {
  test('is read', () => {
    const raw = aRawOriginal();
    expect(originalApi.read(raw)).toEqual({
      ref: { apiVersion: 'cluster.k8s.io/v1alpha1', namespace: 'default', name: 'm-1', uid: 'uid-1' },
      resourceVersion: '7',
      generation: 2,
      labels: { 'cluster.k8s.io/cluster-name': 'c' },
      annotations: {},
      finalizers: [foreground, finalizer],
      deletionTimestamp: after(0),
      clusterName: 'c',
      providerId: 'x://m-1',
      nodeName: 'node-1',
      nodeUid: 'node-uid-1',
      isControlPlane: false,
      raw,
    });
  });

  test('of which nothing is set but its name is read as well', () => {
    const raw = {
      apiVersion: 'cluster.k8s.io/v1alpha1',
      kind: 'Machine',
      metadata: { name: 'm-1', namespace: 'default', uid: 'uid-1' },
    };
    expect(originalApi.read(raw)).toEqual({
      ref: { apiVersion: 'cluster.k8s.io/v1alpha1', namespace: 'default', name: 'm-1', uid: 'uid-1' },
      resourceVersion: '',
      generation: 0,
      labels: {},
      annotations: {},
      finalizers: [],
      isControlPlane: false,
      raw,
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['nulls', { spec: { providerID: null, versions: null }, status: { nodeRef: null } }],
    [
      'empty texts',
      { spec: { providerID: '', versions: { controlPlane: '' } }, status: { nodeRef: { name: '' } } },
    ],
  ])('says nothing by %s', (_what, fields) => {
    const { providerId, nodeName, nodeUid, isControlPlane } = originalApi.read({
      ...aLivingOriginal(),
      ...fields,
    });
    expect({ providerId, nodeName, nodeUid, isControlPlane }).toEqual({ isControlPlane: false });
  });

  test('is a control plane member by its control plane version', () => {
    expect(anOriginal({ spec: { versions: { controlPlane: '1.13.6' } } }).isControlPlane).toBe(true);
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'another version',
      { apiVersion: 'cluster.k8s.io/v1alpha2' },
      'apiVersion: "cluster.k8s.io/v1alpha2" is not supported',
    ],
    ['a providerID that is no text', { spec: { providerID: 5 } }, 'spec.providerID: '],
    ['a nodeRef that is a text', { status: { nodeRef: 'node-1' } }, 'status.nodeRef: '],
  ])('with %s cannot be read, and the field is named', (_what, fields, why) => {
    const read = () => originalApi.read({ ...aRawOriginal(), ...fields });
    expect(read).toThrow(MachineUnreadable);
    expect(read).toThrow(`Machine default/m-1 cannot be read: ${why}`);
  });
});

describe('the cluster', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['is the one that the label names', { 'cluster.k8s.io/cluster-name': 'c' }, 'c'],
    ['is none where the label is empty', { 'cluster.k8s.io/cluster-name': '' }, undefined],
    ['is none without the label', {}, undefined],
    ['is none by the label of a later API', { 'cluster.x-k8s.io/cluster-name': 'c' }, undefined],
  ])('%s', (_what, labels, name) => {
    const machine = anOriginal({ metadata: { labels } });
    expect(originalApi.clusterNameOf(machine)).toBe(name);
    expect(originalApi.workload(machine)).toEqual(
      name === undefined ? undefined : { kind: 'cluster', namespace: 'default', clusterName: name },
    );
    expect(originalApi.finalizersOf(machine)).toEqual(
      name === undefined ? [finalizer] : [foreground, finalizer],
    );
  });
});
