import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { hooksAnnotation, serializeAsked } from '../../../shared/hooks/asked.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { memberOf } from '../../../shared/read/policy-members.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { anAsked } from '../../builders/asked.ts';
import { beside } from '../../builders/beside.ts';
import { aCheckpoint, after, aRawMachine } from '../../builders/cluster-api.ts';
import { atCheckpoint, aWorld } from '../../builders/world.ts';

const hook = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout': 'phaseout.dev' };
const foreign = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': 'x' };
const at = (phase: 'pre-drain' | 'drain', annotations: Record<string, string> = {}): KubeObject =>
  aRawMachine({
    annotations: atCheckpoint(aCheckpoint({ phase, since: '2026-01-01T12:00:05Z' }), annotations),
  });
const asked = { [hooksAnnotation]: serializeAsked('uid-1', [anAsked()]) };

function member(
  raw: KubeObject,
  dialect: Dialect = clusterApi,
  settings: Partial<Environment['settings']> = {},
) {
  const { env } = aWorld(raw, settings);
  return memberOf(env, dialect.read(raw), { dialect, cluster: undefined });
}

describe('a deleting Machine counts', () => {
  test.each<[when: string, raw: KubeObject, dialect: Dialect, since: number | undefined]>([
    ['not before phaseout has begun', aRawMachine(), clusterApi, undefined],
    ['not while it waits', at('pre-drain'), clusterApi, undefined],
    ['once it is past the wait', at('drain'), clusterApi, after(5)],
    ['while a function of ours is asked before its drain', at('pre-drain', asked), clusterApi, after(5)],
    [
      'from its deletion without our finalizer',
      aRawMachine({ metadata: { finalizers: ['other'] } }),
      clusterApi,
      after(0),
    ],
    [
      'not beside the API’s own controller while our hook holds it',
      at('pre-drain', hook),
      beside(),
      undefined,
    ],
    ['from its deletion where our hook is not on it', at('pre-drain'), beside(), after(0)],
    [
      'from its deletion where phaseout only watches',
      at('pre-drain', hook),
      { ...clusterApi, isObserved: true },
      after(0),
    ],
  ])('%s', (_when, raw, dialect, since) => {
    expect(member(raw, dialect).begunAt).toBe(since);
  });

  test('from its deletion where another installation looks after it', () => {
    expect(member(at('pre-drain'), clusterApi, { watchFilter: 'ours' }).begunAt).toBe(after(0));
  });
});

describe('a waiting Machine holds up no other one', () => {
  const shows = (reason: string): KubeObject => ({
    ...at('pre-drain'),
    status: { conditions: [{ type: 'Deleting', status: 'True', reason, message: '' }] },
  });

  test.each<[when: string, raw: KubeObject, isElsewhere: boolean]>([
    ['while it is paused', at('pre-drain', { 'cluster.x-k8s.io/paused': '' }), true],
    ['while a hook of others holds it', at('pre-drain', foreign), true],
    ['while it shows that something fails', shows('InternalError'), true],
    ['but while it shows that it waits in the line', shows('WaitingForDrainPolicy'), false],
    ['but while it shows nothing yet', at('pre-drain'), false],
  ])('%s', (_when, raw, isElsewhere) => {
    expect(member(raw).waitsElsewhere).toBe(isElsewhere);
  });
});

describe('whether its Node is Ready', () => {
  const nodeRef = { name: 'node-1' };
  const told = (conditions: object[], ref: object | undefined = nodeRef): KubeObject => ({
    ...aRawMachine(),
    status: { conditions, ...(ref !== undefined && { nodeRef: ref }) },
  });

  test.each<[when: string, raw: KubeObject, isReady: boolean | undefined]>([
    ['says its condition', told([{ type: 'NodeReady', status: 'True' }]), true],
    ['says its older condition', told([{ type: 'NodeHealthy', status: 'False' }]), false],
    ['is no, where its controller calls it unknown', told([{ type: 'NodeReady', status: 'Unknown' }]), false],
    ['is unknown, where nothing says it', told([]), undefined],
    ['is unknown without a Node', { ...aRawMachine(), status: {} }, undefined],
  ])('%s', (_when, raw, isReady) => {
    expect(member(raw).isReady).toBe(isReady);
  });
});
