import { describe, expect, test } from 'vitest';
import type { Config } from '../../../shared/runtime/config.ts';
import { machines as originals } from '../../stories/stage/v1alpha1.ts';
import type { Exchange } from '../wire/exchange.ts';
import { machines } from './built-stage.ts';
import { othersAreLeftAlone } from './others-are-left-alone.ts';
import { openStage } from './stage.ts';

const m1 = { namespace: 'fleet', name: 'm1' };
const m2 = { namespace: 'fleet', name: 'm2' };
/** Phaseout is there for `m1` alone. */
const ours = [{ api: 'capi', resource: machines, ...m1, host: 'blue', node: 'node-1' }] as const;

async function criesAt(asked: Partial<Exchange>, config: Partial<Config> = {}): Promise<string[]> {
  const stage = await openStage(othersAreLeftAlone, { machines: ours });
  const { world } = stage;
  world.config = { ...world.config, ...config };
  stage.ask(asked);
  return stage.cries;
}

const asks = (what: string): string[] => [`instance-1 asks to ${what}`];
const infrastructure = 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io';
const token = { verb: 'get', resource: 'secrets', namespace: 'phaseout', name: 'token' };

describe('where phaseout is there for the Machines of one namespace', () => {
  test.each<[string, Partial<Exchange>, string[]]>([
    ['Machines of it are read', { verb: 'list', resource: machines, namespace: 'fleet' }, []],
    [
      'Machines of all are not',
      { verb: 'list', resource: machines },
      asks(`list ${machines} in all namespaces`),
    ],
    [
      'those of another one are not',
      { verb: 'get', resource: machines, namespace: 'annex' },
      asks(`get ${machines} in annex`),
    ],
    [
      'nor what they refer to',
      { verb: 'get', resource: infrastructure, namespace: 'annex' },
      asks(`get ${infrastructure} in annex`),
    ],
    ['nor their Clusters’ keys', { ...token, namespace: 'annex' }, asks('get secrets in annex')],
    ['the provider’s token is read wherever it is', token, []],
    ['Pods are read in all of them', { verb: 'list', resource: 'pods' }, []],
    [
      'nobody cares what is read in workload clusters',
      { verb: 'get', host: 'blue', resource: 'secrets', namespace: 'annex' },
      [],
    ],
    ['nor what a source reads', { instance: 'source-1', verb: 'list', resource: machines }, []],
  ])('%s', async (_what, asked, cries) => {
    expect(await criesAt(asked, { namespaces: ['fleet'], actuatorSecret: 'phaseout/token' })).toEqual(cries);
  });
});

test('where it is there for all, it reads everywhere', async () => {
  expect(await criesAt({ verb: 'list', resource: machines })).toEqual([]);
});

const eventAbout = (named: typeof m1): Partial<Exchange> => ({
  verb: 'create',
  resource: 'events',
  namespace: 'fleet',
  body: {
    reason: 'Drained',
    message: 'all is gone',
    involvedObject: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', ...named },
  },
});
const why = 'it is none that phaseout is there for';

describe('of a Machine that it is not there for', () => {
  test.each<[string, Partial<Exchange>, string[]]>([
    [
      'nothing is written',
      { verb: 'patch', resource: machines, ...m2, body: {} },
      [`instance-1 writes into Machine fleet/m2: ${why}`],
    ],
    [
      'no status is written',
      { verb: 'patch', resource: `${machines}/status`, ...m2, body: {} },
      [`instance-1 writes the status of Machine fleet/m2: ${why}`],
    ],
    [
      'no Event is written',
      eventAbout(m2),
      [`instance-1 writes the Event Drained about Machine fleet/m2: all is gone: ${why}`],
    ],
    [
      'others write as they like',
      { instance: 'source-1', verb: 'patch', resource: machines, ...m2, body: {} },
      [],
    ],
  ])('%s', async (_what, asked, cries) => {
    expect(await criesAt(asked)).toEqual(cries);
  });

  test.each([
    [
      'no server is asked for',
      'old-2',
      [`instance-1 has the provider exists the server of Machine fleet/old-2: ${why}`],
    ],
    ['while that of another one is', 'old-1', []],
  ])('%s', async (_what, name, cries) => {
    const plan = {
      api: 'v1alpha1',
      resource: originals,
      namespace: 'fleet',
      host: 'blue',
      node: undefined,
    } as const;
    const stage = await openStage(othersAreLeftAlone, { machines: [{ ...plan, name: 'old-1' }] });
    const machine = { apiVersion: 'cluster.k8s.io/v1alpha1', metadata: { namespace: 'fleet', name } };
    stage.observer.asked?.({ instance: 'instance-1', operation: 'exists', machine, cluster: undefined });
    expect(stage.cries).toEqual(cries);
  });
});

test('of one that it is there for, all may be written', async () => {
  expect(await criesAt({ verb: 'patch', resource: machines, ...m1, body: {} })).toEqual([]);
  expect(await criesAt(eventAbout(m1))).toEqual([]);
});
