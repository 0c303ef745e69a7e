import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import type { ClusterState } from '../../../../shared/dialects/status-input.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { aCluster, aMachine, someSurroundings, timeAfter } from '../../../builders/cluster-api.ts';

const withControlPlane = aCluster({
  spec: { controlPlaneRef: { apiGroup: 'cp.example', kind: 'ControlPlane', name: 'c' } },
});
const terminating = { name: 'c', deletionTimestamp: timeAfter(0) };
const controlPlane = (fields: Record<string, unknown>): ClusterState['controlPlane'] => ({
  kind: 'present',
  object: { metadata: { name: 'c' }, ...fields },
});
const external = { status: { externalManagedControlPlane: true } };

const noNode =
  'noderef is nil: the Machine names no Node and none is known by its providerID, so nothing is drained and no Node is deleted';
const withoutNode = aMachine({ status: { nodeRef: undefined } });

describe('a Node is left alone because', () => {
  test.each<[why: string, surroundings: Partial<ClusterState>, machine?: typeof withoutNode]>([
    ['cluster is being deleted', { cluster: aCluster({ metadata: terminating }) }],
    ['cluster is being deleted', { cluster: aCluster({ metadata: terminating }) }, withoutNode],
    [noNode, {}, withoutNode],
    [noNode, { controlPlaneMembers: { kind: 'unknown', why: 'no answer' } }, withoutNode],
    [
      'control plane is being deleted',
      { cluster: withControlPlane, controlPlane: controlPlane({ metadata: terminating }) },
    ],
    [
      'control plane is being deleted',
      { cluster: withControlPlane, controlPlane: controlPlane({ metadata: terminating, ...external }) },
    ],
    ['no control plane members', { controlPlaneMembers: 0 }],
    [
      'no control plane members',
      { cluster: withControlPlane, controlPlane: { kind: 'absent' }, controlPlaneMembers: 0 },
    ],
    [
      'no control plane members',
      {
        cluster: withControlPlane,
        controlPlane: controlPlane({ status: { externalManagedControlPlane: false } }),
        controlPlaneMembers: 0,
      },
    ],
  ])('%s', (why, surroundings, machine = aMachine()) => {
    expect(clusterApi.nodeDeletion(machine, someSurroundings(surroundings))).toEqual({ allowed: false, why });
  });
});

describe('a Node may go when', () => {
  test.each<[string, Partial<ClusterState>]>([
    ['one member of the control plane is left', { controlPlaneMembers: 1 }],
    [
      'the control plane is managed elsewhere, however many Machines it has',
      { cluster: withControlPlane, controlPlane: controlPlane(external), controlPlaneMembers: 0 },
    ],
    [
      'the control plane is managed elsewhere and nothing was counted',
      { cluster: withControlPlane, controlPlane: controlPlane(external), controlPlaneMembers: undefined },
    ],
    [
      'the control plane is managed elsewhere and nothing could be counted',
      {
        cluster: withControlPlane,
        controlPlane: controlPlane(external),
        controlPlaneMembers: { kind: 'unknown', why: 'no answer' },
      },
    ],
    [
      'the control plane object is missing, but not its Machines',
      { cluster: withControlPlane, controlPlane: { kind: 'absent' } },
    ],
    ['nobody knows its Cluster, but the control plane Machines', { cluster: undefined }],
    ['the control plane is there', { cluster: withControlPlane, controlPlane: controlPlane({}) }],
  ])('%s', (_when, surroundings) => {
    expect(clusterApi.nodeDeletion(aMachine(), someSurroundings(surroundings))).toEqual({ allowed: true });
  });
});

describe('nothing is concluded while', () => {
  test.each<[string, Partial<ClusterState>, string]>([
    [
      'the control plane cannot be read',
      { cluster: withControlPlane, controlPlane: { kind: 'unknown', why: 'connection refused' } },
      'connection refused',
    ],
    [
      'the control plane was not looked at',
      { cluster: withControlPlane },
      'the control plane was not looked at',
    ],
    [
      'members cannot be counted',
      { controlPlaneMembers: { kind: 'unknown', why: 'connection refused' } },
      'connection refused',
    ],
    [
      'members were not counted',
      { controlPlaneMembers: undefined },
      'the control plane Machines were not counted',
    ],
  ])('%s', (_while, surroundings, why) => {
    const judge = () => clusterApi.nodeDeletion(aMachine(), someSurroundings(surroundings));
    expect(judge).toThrow(Unavailable);
    expect(judge).toThrow(`failed to check if Kubernetes Node deletion is allowed: ${why}`);
  });
});

describe('the control plane of a Cluster', () => {
  test.each([
    ['none', {}, undefined],
    ['a number', { controlPlaneRef: 7 }, undefined],
    ['an empty reference', { controlPlaneRef: {} }, undefined],
    [
      'a v1beta2 reference',
      { controlPlaneRef: { apiGroup: 'cp.example', kind: 'ControlPlane', name: 'c' } },
      { group: 'cp.example', kind: 'ControlPlane', namespace: 'default', name: 'c' },
    ],
    [
      'a v1beta1 reference',
      { controlPlaneRef: { apiVersion: 'cp.example/v1', kind: 'ControlPlane', name: 'c', namespace: 'x' } },
      { group: 'cp.example', version: 'v1', kind: 'ControlPlane', namespace: 'x', name: 'c' },
    ],
  ])('is read from %s', (_what, spec, ref) => {
    expect(clusterApi.controlPlaneOf(aCluster({ spec }), 'default')).toEqual(ref);
  });

  test('is not guessed from a broken reference', () => {
    const cluster = aCluster({ spec: { controlPlaneRef: { apiGroup: 'cp.example', name: 'c' } } });
    const why =
      'Cluster default/c: spec.controlPlaneRef.kind: Invalid input: expected string, received undefined';
    expect(() => clusterApi.controlPlaneOf(cluster, 'default')).toThrow(why);
    expect(() => clusterApi.nodeDeletion(aMachine(), someSurroundings({ cluster }))).toThrow(why);
  });

  test('decides nothing in a Cluster that is being deleted', () => {
    const { spec } = withControlPlane;
    expect(clusterApi.controlPlaneOf(aCluster({ metadata: terminating, spec }), 'default')).toBeUndefined();
  });

  test('has its Machines counted where its Cluster is not known, and not where that is being deleted', () => {
    expect(clusterApi.controlPlaneMembers(aMachine(), undefined)).toBeDefined();
    expect(clusterApi.controlPlaneMembers(aMachine(), aCluster({ metadata: terminating }))).toBeUndefined();
  });

  test('has the Machines with its name and the label, whatever the label says', () => {
    expect(clusterApi.controlPlaneMembers(aMachine(), aCluster())?.labelSelector).toBe(
      'cluster.x-k8s.io/cluster-name=c,cluster.x-k8s.io/control-plane',
    );
  });

  test('has no Machine that is being deleted', () => {
    const members = clusterApi.controlPlaneMembers(aMachine(), aCluster());
    expect(members?.counts({ metadata: { name: 'cp' } })).toBe(true);
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(members?.counts({ metadata: { name: 'cp', deletionTimestamp } })).toBe(false);
  });
});
