import { describe, expect, test } from 'vitest';
import type { ClusterState } from '../../../../shared/dialects/status-input.ts';
import { originalApi } from '../../../../shared/dialects/v1alpha1/index.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import {
  aControlPlaneOriginal,
  aLivingOriginal,
  anOriginal,
  anOriginalCluster,
  originalSurroundings,
  withoutCluster,
} from '../../../builders/v1alpha1.ts';

const controlPlane = { spec: { versions: { controlPlane: '1.13.6' } } };
const noNode =
  'noderef is nil: the Machine names no Node and none is known by its providerID, so nothing is drained and no Node is deleted';
const refused = (why: string) => ({ allowed: false, why });

describe('the Node', () => {
  test.each<[string, Parameters<typeof anOriginal>[0], Partial<ClusterState>, object]>([
    ['goes', {}, {}, { allowed: true }],
    ['stays where the Machine names none', { status: { nodeRef: undefined } }, {}, refused(noNode)],
    [
      'stays where the Machine names none, and nothing could be counted',
      { status: { nodeRef: undefined } },
      { controlPlaneMembers: { kind: 'unknown', why: 'no answer' } },
      refused(noNode),
    ],
    [
      'stays where the Machine has no cluster',
      { metadata: withoutCluster },
      { cluster: undefined, controlPlaneMembers: undefined },
      refused('no control plane members: the Machine has no cluster'),
    ],
    [
      'stays where there are no control plane Machines',
      {},
      { controlPlaneMembers: 0 },
      refused('no control plane members'),
    ],
    [
      'of the only control plane Machine stays',
      controlPlane,
      { controlPlaneMembers: 1 },
      refused('only one control plane member'),
    ],
    [
      'of one of two control plane Machines goes',
      controlPlane,
      { controlPlaneMembers: 2 },
      { allowed: true },
    ],
    [
      'of a worker goes beside the only control plane Machine',
      {},
      { controlPlaneMembers: 1 },
      { allowed: true },
    ],
    [
      'goes although the Cluster is being deleted',
      {},
      { cluster: anOriginalCluster({ deletionTimestamp: '2026-01-01T12:00:00Z' }) },
      { allowed: true },
    ],
  ])('%s', (_what, machine, surroundings, expected) => {
    expect(originalApi.nodeDeletion(anOriginal(machine), originalSurroundings(surroundings))).toEqual(
      expected,
    );
  });

  test.each<[string, ClusterState['controlPlaneMembers'], string]>([
    ['before the control plane was counted', undefined, 'the control plane Machines were not counted'],
    ['while it cannot be counted', { kind: 'unknown', why: 'no answer' }, 'no answer'],
  ])('is not judged %s', (_when, controlPlaneMembers, why) => {
    const judge = () => originalApi.nodeDeletion(anOriginal(), originalSurroundings({ controlPlaneMembers }));
    expect(judge).toThrow(Unavailable);
    expect(judge).toThrow(`failed to check if Kubernetes Node deletion is allowed: ${why}`);
  });

  test('is waited for without end', () => {
    expect(originalApi.isNodeDeletionOver(anOriginal(), 0, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

const members = () => originalApi.controlPlaneMembers(anOriginal(), anOriginalCluster());

describe('the control plane', () => {
  test('is looked for among the Machines of the cluster', () => {
    expect(members()?.labelSelector).toBe('cluster.k8s.io/cluster-name=c');
  });

  test.each([
    ['a Machine with a control plane version', aControlPlaneOriginal('cp-1'), true],
    [
      'one that is being deleted',
      aControlPlaneOriginal('cp-1', { deletionTimestamp: '2026-01-01T12:00:00Z' }),
      true,
    ],
    ['a worker', aLivingOriginal(), false],
    ['a Machine with an empty version', aLivingOriginal({ spec: { versions: { controlPlane: '' } } }), false],
    ['a Machine without a spec', { metadata: { name: 'm-2' } }, false],
  ])('counts %s: %s', (_what, member, counts) => {
    expect(members()?.counts(member)).toBe(counts);
  });

  test('is counted for a Cluster that is being deleted too', () => {
    const cluster = anOriginalCluster({ deletionTimestamp: '2026-01-01T12:00:00Z' });
    expect(originalApi.controlPlaneMembers(anOriginal(), cluster)).toBeDefined();
  });

  test('is not counted without a cluster', () => {
    const machine = anOriginal({ metadata: withoutCluster });
    expect(originalApi.controlPlaneMembers(machine, undefined)).toBeUndefined();
  });
});
