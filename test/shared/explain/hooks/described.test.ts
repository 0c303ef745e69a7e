import { describe, expect, test } from 'vitest';
import { reportHooks } from '../../../../shared/explain/hooks/report-hooks.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { aMachine, anEvent, moveTraffic, now } from './machines.ts';

const held = (minutes: number) =>
  aMachine('a', {
    annotations: { [moveTraffic]: 'load-balancer' },
    deleted: minutes,
    reason: 'WaitingForPreDrainHook',
    metadata: { labels: { pool: 'web' } },
  });

const aDescription = (spec: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'phaseout.dev/v1alpha1',
  kind: 'DeletionHook',
  metadata: { name: 'traffic', namespace: 'fleet', uid: 'u', ...metadata },
  spec: {
    setBy: 'Others',
    hook: 'move-traffic',
    at: 'PreDrain',
    silentAfter: '2m',
    contact: '#network',
    runbook: 'https://runbooks.example/traffic',
    ...spec,
  },
});

const report = (deletionHooks: KubeObject[], minutes = 5, events: KubeObject[] = []) =>
  reportHooks({ machines: [held(minutes)], templates: [], events, deletionHooks, now });

const described = (...deletionHooks: KubeObject[]) => report(deletionHooks).rows[0]?.described;

const all = { silentAfterSeconds: 120, contact: '#network', runbook: 'https://runbooks.example/traffic' };

describe('a hook of others', () => {
  test.each<[string, object, object]>([
    ['by its name and place', {}, {}],
    ['of Machines with these labels', { machines: [{ selector: { matchLabels: { pool: 'web' } } }] }, {}],
    [
      'of Machines of some Cluster: which is not read here',
      { machines: [{ clusterSelector: { matchLabels: { environment: 'production' } } }] },
      {},
    ],
  ])('is described %s', (_what, spec, metadata) => {
    expect(described(aDescription(spec, metadata))).toEqual(all);
  });

  test.each<[string, object, object]>([
    ['another hook', { hook: 'back-up' }, {}],
    ['another place', { at: 'PreTerminate' }, {}],
    ['a function of its own', { setBy: 'Phaseout', hook: undefined }, {}],
    ['another namespace', {}, { namespace: 'other' }],
    ['other Machines', { machines: [{ selector: { matchLabels: { pool: 'db' } } }] }, {}],
    ['nothing that can be read', { silentAfter: 'soon' }, {}],
  ])('is not described by a DeletionHook of %s', (_what, spec, metadata) => {
    expect(described(aDescription(spec, metadata))).toBeUndefined();
  });

  test('is described by the first of several, by name', () => {
    const later = aDescription({ contact: 'b' }, { name: 'b' });
    expect(described(later, aDescription({ contact: 'a' }, { name: 'a' }))).toMatchObject({ contact: 'a' });
  });
});

describe('a hook of others that holds for longer than its description says', () => {
  test('is warned of, with who can help', () => {
    expect(report([aDescription()]).warnings.map(({ message }) => message)).toEqual([
      'it has held for at most 5 min, without any Event of load-balancer on the Machine: does that run? (contact #network; https://runbooks.example/traffic)',
    ]);
  });

  test.each<[string, object, number, KubeObject[]]>([
    ['it holds for less', { silentAfter: '10m' }, 5, []],
    ['it holds for less than an hour', { silentAfter: '1h' }, 40, []],
    ['its owner says something', {}, 5, [anEvent('a', 'load-balancer')]],
  ])('is not warned of where %s', (_what, spec, minutes, events) => {
    expect(report([aDescription(spec)], minutes, events).warnings).toEqual([]);
  });
});
