import { describe, expect, test } from 'vitest';
import { askedAt, askedOf, askedOn, hooksAnnotation, serializeAsked } from '../../../shared/hooks/asked.ts';
import { selectHooks } from '../../../shared/hooks/deletion-hook.ts';
import { aDeletionHook, anAsked } from '../../builders/asked.ts';

const ref = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' };
const machine = (text: string | undefined) => ({
  ref,
  annotations: text === undefined ? {} : { [hooksAnnotation]: text },
});

test('what is written is read again', () => {
  const hooks = [
    anAsked({ begin: '2026-01-01T10:00:00.000Z', said: { state: 'Failed', at: '2026-01-01T10:00:05.000Z' } }),
    anAsked({ place: 'PreTerminate', timeoutSeconds: 60, onTimeout: 'Proceed', contact: '#storage' }),
  ];
  const written = machine(serializeAsked('uid-1', hooks));
  expect(askedOn(written)).toEqual(hooks);
  expect(askedAt(written, 'PreTerminate')).toEqual([hooks[1]]);
});

test('what a newer release adds is kept', () => {
  const text = JSON.stringify({ v: 1, uid: 'uid-1', hooks: [{ ...anAsked(), priority: 3 }] });
  expect(askedOn(machine(text))).toEqual([{ ...anAsked(), priority: 3 }]);
});

describe('nothing is read from', () => {
  test.each<[what: string, text: string | undefined]>([
    ['no annotation', undefined],
    ['text that is not JSON', '{'],
    ['an annotation that was copied from another Machine', serializeAsked('uid-2', [anAsked()])],
    ['another version', JSON.stringify({ v: 2, uid: 'uid-1', hooks: [anAsked()] })],
    [
      'a hook without an order',
      JSON.stringify({ v: 1, uid: 'uid-1', hooks: [{ ...anAsked(), order: 'x' }] }),
    ],
  ])('%s', (_what, text) => {
    expect(askedOn(machine(text))).toEqual([]);
    expect(askedAt(machine(text), 'PreDrain')).toBeUndefined();
  });
});

test('a DeletionHook is written down as it is, with its times in seconds', () => {
  const spec = {
    order: 10,
    every: '1m30s',
    silentAfter: '10m',
    timeout: '2h',
    onTimeout: 'Proceed',
    send: { labels: ['rack'] },
    contact: '#storage-oncall',
    runbook: 'https://example.test/osd',
  };
  const workers = { labels: {}, clusterLabels: {}, isControlPlane: false };
  const { hooks } = selectHooks([aDeletionHook('take-out-osd', spec)], 'PreDrain', workers);
  expect(hooks.map(askedOf)).toEqual([
    {
      name: 'take-out-osd',
      uid: 'uid-of-take-out-osd',
      place: 'PreDrain',
      order: 10,
      everySeconds: 90,
      silentAfterSeconds: 600,
      timeoutSeconds: 7_200,
      onTimeout: 'Proceed',
      whenGone: 'Hold',
      onClusterDeletion: 'Proceed',
      labels: ['rack'],
      contact: '#storage-oncall',
      runbook: 'https://example.test/osd',
    },
  ]);
});
