import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import {
  nodes,
  podDisruptionBudgets,
  pods,
  volumeAttachments,
} from '../../../shared/kubernetes/resources.ts';
import type { WaitsFor } from '../../../shared/phase/decision.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { type Source, Stream, type Waking } from '../../../shared/wake-ups/stream.ts';
import { type Watched, watches as watchesFor } from '../../../shared/wake-ups/watch.ts';
import { budget, pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';
import { serverGone, watchedApi } from '../reconcile/watches.ts';

/** A stream for each watch of a wait, and the ways to stop them. */
function watchFor({ kubernetes, clock, ...waking }: Source & { clock: Clock } & Waking, until: Watched) {
  const streams = watchesFor(until).map((each) => new Stream({ kubernetes }, clock, each, waking));
  return streams.map((stream) => () => stream.close());
}

function watching(until: Watched) {
  const { api: kubernetes, watches } = watchedApi();
  const clock = manualClock();
  let woken = 0;
  const wake = (): void => {
    woken += 1;
  };
  const stops = watchFor({ kubernetes, clock, wake }, until);
  return { watches, clock, stops, woken: () => woken, watch: watches[0]! };
}

describe('Pods that are awaited', () => {
  const until: WaitsFor & { kind: 'pods-gone' } = {
    kind: 'pods-gone',
    nodeName: 'node-1',
    uids: ['ns/a', 'ns/b'],
    resourceVersion: '900',
  };

  test('are watched on their Node, from the list on', () => {
    expect(watching(until).watches).toMatchObject([
      { resource: pods, selection: { fieldSelector: 'spec.nodeName=node-1' }, resourceVersion: '900' },
    ]);
  });

  test('wake when the last of them has gone, and not before', () => {
    const { watch, woken } = watching(until);
    watch.change('DELETED', pod('ns/a'));
    watch.change('MODIFIED', pod('ns/b', { deletionTimestamp: '2026-01-01T12:00:00Z' }));
    watch.change('DELETED', pod('ns/stranger'));
    watch.change('ADDED', pod('ns/new'));
    expect(woken()).toBe(0);
    watch.change('DELETED', pod('ns/b'));
    expect(woken()).toBe(1);
  });

  test('wake a moment after the last that has gone, where others stay', async () => {
    const { watch, woken, clock } = watching({ ...until, uids: ['ns/a', 'ns/b', 'ns/stuck'] });
    watch.change('DELETED', pod('ns/a'));
    await clock.advance(2_900);
    watch.change('DELETED', pod('ns/b'));
    await clock.advance(2_900);
    expect(woken()).toBe(0);
    await clock.advance(100);
    expect(woken()).toBe(1);
  });

  test('wake nobody early while more than three may go at any moment', async () => {
    const { watch, woken, clock } = watching({
      ...until,
      uids: ['ns/a', 'ns/b', 'ns/c', 'ns/d', 'ns/e', 'ns/f'],
    });
    watch.change('DELETED', pod('ns/a'));
    await clock.advance(5_000);
    expect(woken()).toBe(0);
    watch.change('DELETED', pod('ns/b'));
    watch.change('DELETED', pod('ns/c'));
    await clock.advance(3_000);
    expect(woken()).toBe(1);
  });

  test('do not count among those that may go at any moment when they may last', async () => {
    const lasting = ['ns/b', 'ns/c', 'ns/d', 'ns/e'];
    const { watch, woken, clock } = watching({ ...until, uids: ['ns/a', ...lasting], lasting });
    watch.change('DELETED', pod('ns/a'));
    await clock.advance(3_000);
    expect(woken()).toBe(1);
  });

  test('wake at once when those of the lowest order have gone, whatever stays', () => {
    const { watch, woken } = watching({ ...until, lowestOrder: ['ns/a'] });
    watch.change('DELETED', pod('ns/a'));
    expect(woken()).toBe(1);
  });

  test('wake a moment after a refused one was deleted by others', async () => {
    const { watch, woken, clock } = watching({ ...until, refused: ['ns/refused'] });
    watch.change('DELETED', pod('ns/refused'));
    await clock.advance(700);
    expect(woken()).toBe(1);
  });

  test('wake that soon also while few are left to go', async () => {
    const { watch, woken, clock } = watching({
      ...until,
      uids: [...until.uids, 'ns/refused'],
      refused: ['ns/refused'],
    });
    watch.change('DELETED', pod('ns/refused'));
    watch.change('DELETED', pod('ns/a'));
    await clock.advance(700);
    expect(woken()).toBe(1);
  });

  test('wake a moment after the last has gone where a budget refuses others: it is told a moment later', async () => {
    const { watch, woken, clock } = watching({ ...until, refused: ['ns/refused'] });
    watch.change('DELETED', pod('ns/a'));
    watch.change('DELETED', pod('ns/b'));
    await clock.advance(299);
    expect(woken()).toBe(0);
    await clock.advance(1);
    expect(woken()).toBe(1);
  });

  test('wake nobody once the watch is dropped', async () => {
    const { watch, woken, clock, stops } = watching(until);
    watch.change('DELETED', pod('ns/a'));
    for (const stop of stops) stop();
    await clock.advance(5_000);
    expect(woken()).toBe(0);
  });

  test.each(['Succeeded', 'Failed'])('count as gone when they have %s', (phase) => {
    const { watch, woken } = watching(until);
    watch.change('MODIFIED', pod('ns/a', { phase }));
    watch.change('MODIFIED', pod('ns/b', { phase }));
    expect(woken()).toBe(1);
  });
});

const status = (disruptionsAllowed: number, observedGeneration = 1) =>
  budget('guard', { status: { disruptionsAllowed, observedGeneration } });

describe('a budget', () => {
  const until: WaitsFor & { kind: 'budget-frees' } = {
    kind: 'budget-frees',
    namespace: 'ns',
    name: 'guard',
    resourceVersion: '70',
  };

  test('is watched alone, from when it was read', () => {
    expect(watching(until).watches).toMatchObject([
      {
        resource: podDisruptionBudgets,
        selection: { namespace: 'ns', fieldSelector: 'metadata.name=guard' },
        resourceVersion: '70',
      },
    ]);
  });

  test.each<[string, 'MODIFIED' | 'DELETED', KubeObject, number]>([
    ['it allows one', 'MODIFIED', status(1), 1],
    ['it is deleted', 'DELETED', status(0), 1],
    ['it still allows none', 'MODIFIED', status(0), 0],
    ['its numbers are older than its spec', 'MODIFIED', status(1, 0), 0],
    ['it has no status yet', 'MODIFIED', { metadata: { name: 'guard', generation: 1 } }, 0],
  ])('when %s', (_when, type, object, times) => {
    const { watch, woken } = watching(until);
    watch.change(type, object);
    expect(woken()).toBe(times);
  });
});

const attachment = (nodeName: string, attached: boolean): KubeObject => ({
  metadata: { name: 'attachment' },
  spec: { nodeName, source: { persistentVolumeName: 'pv' } },
  status: { attached },
});

describe('volumes', () => {
  const until: WaitsFor & { kind: 'volumes-detached' } = {
    kind: 'volumes-detached',
    nodeName: 'node-1',
    attached: ['v-1', 'v-2'],
    nodeVersion: '50',
    attachmentsVersion: '800',
  };

  test('are watched by the Node and by the attachments', () => {
    expect(watching(until).watches).toMatchObject([
      { resource: nodes, selection: { fieldSelector: 'metadata.name=node-1' }, resourceVersion: '50' },
      { resource: volumeAttachments, selection: {}, resourceVersion: '800' },
    ]);
  });

  test('are watched by the Node alone where attachments were not read', () => {
    expect(watching({ ...until, attachmentsVersion: '' }).watches).toMatchObject([{ resource: nodes }]);
  });

  test('end with the Node, whose last state shows them attached', () => {
    const { watch, woken } = watching(until);
    watch.change('DELETED', aNode({ volumesAttached: ['v-1', 'v-2'] }));
    expect(woken()).toBe(1);
  });

  test.each<[string, string[], number]>([
    ['a heartbeat', ['v-1', 'v-2'], 0],
    ['one volume less', ['v-1'], 1],
    ['none left', [], 1],
  ])('of the Node: %s', (_what, volumesAttached, times) => {
    const { watch, woken } = watching(until);
    watch.change('MODIFIED', aNode({ volumesAttached }));
    expect(woken()).toBe(times);
  });

  test.each<[string, 'MODIFIED' | 'DELETED', KubeObject, number]>([
    ['an attachment of the Node goes', 'DELETED', attachment('node-1', true), 1],
    ['an attachment of the Node is detached', 'MODIFIED', attachment('node-1', false), 1],
    ['an attachment of the Node changes otherwise', 'MODIFIED', attachment('node-1', true), 0],
    ["another Node's attachment goes", 'DELETED', attachment('node-2', true), 0],
  ])('when %s', (_when, type, object, times) => {
    const { watches, woken } = watching(until);
    watches[1]!.change(type, object);
    expect(woken()).toBe(times);
  });
});

const object = (uid: string): KubeObject => ({ metadata: { name: 'm-1', uid } });

describe('an object', () => {
  const resource = { group: 'infra.example', version: 'v1', plural: 'servers' };
  const until: WaitsFor & { kind: 'object-gone' } = {
    kind: 'object-gone',
    side: 'management',
    resource,
    key: { namespace: 'default', name: 'm-1' },
    uid: 'server-uid',
    resourceVersion: '30',
  };

  test('is watched alone', () => {
    expect(watching(until).watches).toMatchObject([
      {
        resource,
        selection: { namespace: 'default', fieldSelector: 'metadata.name=m-1' },
        resourceVersion: '30',
      },
    ]);
  });

  test('without a namespace is watched without one', () => {
    const { watch } = watching({ ...until, key: { name: 'm-1' } });
    expect(watch.selection).toStrictEqual({ fieldSelector: 'metadata.name=m-1' });
  });

  test.each<[string, 'MODIFIED' | 'DELETED' | 'ADDED', string, number]>([
    ['it is gone', 'DELETED', 'server-uid', 1],
    ['another has taken its name', 'ADDED', 'other-uid', 1],
    ['it only changes', 'MODIFIED', 'server-uid', 0],
  ])('when %s', (_when, type, uid, times) => {
    const { watch, woken } = watching(until);
    watch.change(type, object(uid));
    expect(woken()).toBe(times);
  });

  test('is watched until stopped', () => {
    const { watch, stops } = watching(until);
    expect(watch.isStopped).toBe(false);
    for (const stop of stops) stop();
    expect(watch.isStopped).toBe(true);
  });
});

describe('a cordoned Node', () => {
  const until: WaitsFor & { kind: 'node-freed' } = {
    kind: 'node-freed',
    name: 'node-1',
    uid: 'node-uid-1',
    resourceVersion: '50',
  };

  test('is watched alone, from when it was read', () => {
    expect(watching(until).watches).toMatchObject([
      { resource: nodes, selection: { fieldSelector: 'metadata.name=node-1' }, resourceVersion: '50' },
    ]);
  });

  test.each<[string, 'MODIFIED' | 'DELETED' | 'ADDED', KubeObject, number]>([
    ['it is gone', 'DELETED', aNode(), 1],
    ['it is uncordoned', 'MODIFIED', aNode({ unschedulable: false }), 1],
    ['another has taken its name', 'ADDED', aNode({ uid: 'other' }), 1],
    ['only its status changes', 'MODIFIED', aNode({ ready: 'Unknown' }), 0],
  ])('when %s', (_when, type, node, times) => {
    const { watch, woken } = watching(until);
    watch.change(type, node);
    expect(woken()).toBe(times);
  });
});

describe('a watch that ends', () => {
  const ofPods: WaitsFor & { kind: 'pods-gone' } = {
    kind: 'pods-gone',
    nodeName: 'node-1',
    uids: ['ns/a'],
    resourceVersion: '900',
  };
  const ofBudget: WaitsFor & { kind: 'budget-frees' } = {
    kind: 'budget-frees',
    namespace: 'ns',
    name: 'guard',
    resourceVersion: '70',
  };
  const closed = budget('guard', { status: { disruptionsAllowed: 0 } });
  const free = budget('guard', { status: { disruptionsAllowed: 1 } });

  test('because changes of a list were missed wakes: only a look can tell', () => {
    const { watch, watches, woken } = watching(ofPods);
    watch.end(true);
    expect(woken()).toBe(1);
    expect(watches).toHaveLength(1);
  });

  const ofVolumes = {
    kind: 'volumes-detached',
    nodeName: 'node-1',
    attached: [],
    nodeVersion: '50',
    attachmentsVersion: '800',
  } as const;
  const ofNode = { kind: 'node-freed', name: 'node-1', uid: 'node-uid-1', resourceVersion: '50' } as const;

  test.each<[string, Watched, number]>([
    ['a budget', ofBudget, 0],
    ['the Node whose volumes are awaited', { ...ofVolumes, attached: [] }, 0],
    ['a cordoned Node', ofNode, 0],
    ['an object that is to go', serverGone, 0],
  ])('because %s has not changed for long goes on from now, and wakes nobody', (_what, until, nth) => {
    const { watches, woken } = watching(until);
    const before = watches.length;
    const { resource, selection } = watches[nth]!;
    watches[nth]!.end(true);
    expect(watches.slice(before)).toMatchObject([{ resource, selection, resourceVersion: '' }]);
    expect(woken()).toBe(0);
  });

  test('because changes of attachments were missed wakes: they are a list', () => {
    const { watches, woken } = watching({ ...ofVolumes, attached: [] });
    watches[1]!.end(true);
    expect(woken()).toBe(1);
    expect(watches).toHaveLength(2);
  });

  test('because an object has not changed for long goes on from now: a look would find the same version', () => {
    const { watches, woken } = watching(ofBudget);
    watches[0]!.end(true);
    const { resource, selection } = watches[0]!;
    expect(watches[1]).toMatchObject({ resource, selection, resourceVersion: '' });
    watches[1]!.change('ADDED', closed);
    expect(woken()).toBe(0);
    watches[1]!.change('MODIFIED', free);
    expect(woken()).toBe(1);
  });

  test('of an object that has changed meanwhile wakes as soon as it is told', () => {
    const { watches, woken } = watching(ofBudget);
    watches[0]!.end(true);
    watches[1]!.change('ADDED', free);
    expect(woken()).toBe(1);
  });

  test('and went on from now is stopped too', () => {
    const { watches, stops } = watching(ofBudget);
    watches[0]!.end(true);
    for (const stop of stops) stop();
    expect(watches[1]!.isStopped).toBe(true);
  });

  test('a second time wakes', () => {
    const { watches, woken } = watching(ofBudget);
    watches[0]!.end(true);
    watches[1]!.end(true);
    expect(woken()).toBe(1);
    expect(watches).toHaveLength(2);
  });

  test.each([ofPods, ofBudget])('without a reason goes on from where it began: $kind', async (until) => {
    const { watch, watches, woken, clock } = watching(until);
    watch.end(false);
    await clock.advance(199);
    expect(watches).toHaveLength(1);
    await clock.advance(1);
    const { resource, selection, resourceVersion } = watch;
    expect(watches[1]).toMatchObject({ resource, selection, resourceVersion });
    expect(woken()).toBe(0);
  });

  test('loses nothing: what was told before still counts', async () => {
    const { watches, woken, clock } = watching({ ...ofPods, uids: ['ns/a', 'ns/b'] });
    watches[0]!.change('DELETED', pod('ns/a'));
    watches[0]!.end(false);
    await clock.advance(200);
    watches[1]!.change('DELETED', pod('ns/b'));
    expect(woken()).toBe(1);
  });

  test('again and again is opened again after longer and longer pauses, ten seconds at most', async () => {
    const { watches, clock } = watching(ofPods);
    const openAfter = async (milliseconds: number): Promise<number> => {
      watches.at(-1)!.end(false);
      await clock.advance(milliseconds - 1);
      const before = watches.length;
      await clock.advance(1);
      return watches.length - before;
    };
    for (const pause of [200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]) {
      expect(await openAfter(pause)).toBe(1);
    }
  });

  test('after it went on from now wakes: what has gone meanwhile would never be told', async () => {
    const { watches, woken, clock } = watching(ofBudget);
    watches[0]!.end(true);
    watches[1]!.end(false);
    await clock.advance(200);
    expect(woken()).toBe(1);
    expect(watches).toHaveLength(2);
  });

  test('is not opened again once it was stopped', async () => {
    const { watch, watches, stops, clock } = watching(ofPods);
    watch.end(false);
    for (const stop of stops) stop();
    await clock.advance(60_000);
    expect(watches).toHaveLength(1);
  });
});
