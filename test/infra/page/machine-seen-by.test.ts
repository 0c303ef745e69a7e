import { describe, expect, test } from 'vitest';
import { machineSeenBy } from '../../../infra/page/cluster/machine-seen-by.ts';
import type { May } from '../../../infra/page/cluster/rights.ts';
import type { HistoryLine, MachineView, Timeline } from '../../../infra/page/views.ts';
import { standingOf } from '../../../shared/explain/status-of.ts';
import { now, ofClusterApi, shows } from '../../shared/explain/standings.ts';
import { explanation, plan } from './cluster-stage.ts';

// The Node has a Pod in each of two namespaces: shop/web-1 and bank/web-1. A third one, vault/key-1, is evicted and gone.

const line: HistoryLine = {
  at: now - 60_000,
  phase: 'drain',
  what: 'acted',
  reason: 'DrainingNode',
  message: 'Evicting Pods shop/web-1, bank/web-1, vault/key-1',
  by: 'phaseout-1',
};

const podOf = (pod: string): Timeline['pods'][number] => ({
  pod,
  from: now - 60_000,
  to: now,
  outcome: 'refused',
  refused: 2,
  why: `the budget of ${pod} refuses`,
});

const timeline: Timeline = {
  from: now - 120_000,
  to: now,
  isOver: false,
  stays: [{ phase: 'drain', from: now - 120_000 }],
  pods: ['shop/web-1', 'bank/web-1', 'vault/key-1'].map(podOf),
  marks: [{ at: line.at, phase: 'drain', kind: 'acts', reason: line.reason, message: line.message }],
};

const machines = { group: 'cluster.x-k8s.io', resource: 'machines' };
const named = { api: 'capi', namespace: 'blue', name: 'worker-1' };
const tried = [{ ...line, at: '2026-11-27T12:09:00Z' }];
const standing = standingOf(ofClusterApi({ status: shows('DrainingNode', '* Pod bank/web-1: waits') }), {
  now,
})!;

const view: MachineView = {
  kind: 'machine',
  ...named,
  now,
  subject: 'the cluster',
  state: 'deleting',
  nodesIn: { kind: 'here' },
  deleting: { ...named, standing, steps: [] },
  explanation: { ...explanation, tried },
  plan,
  timeline,
  history: [line],
  notes: [],
  unread: [],
};

const gone = (): MachineView => {
  const { deleting: _, explanation: __, plan: ___, ...rest } = view;
  return { ...rest, state: 'gone', went: { at: now } };
};

/** Who may read Machines, and the Pods of these namespaces with all that is around them. */
const whoReads =
  (...namespaces: string[]): May =>
  async ({ resource, namespace }) =>
    resource === 'machines' ||
    (namespace === undefined
      ? !['pods', 'poddisruptionbudgets'].includes(resource)
      : namespaces.includes(namespace));

const seenBy = (may: May, seen: MachineView = view) => machineSeenBy(seen, machines, may);
const hidden = 'not shown: Pods, and what tells of them, in namespaces where you may not get them';
const recordsHidden =
  'not shown: the history, which may name Pods of all namespaces: you may not get them in all of them';

describe('of a Machine whose history and timeline name Pods', () => {
  test('all is shown to who may read Pods everywhere', async () => {
    expect(await seenBy(async () => true)).toEqual(view);
  });

  test('nothing that names one is shown to who may read none', async () => {
    const seen = await seenBy(whoReads());
    expect(JSON.stringify(seen)).not.toMatch(/web-1|key-1|shop|bank|vault/);
    expect(seen).toMatchObject({ history: [], unread: [hidden] });
  });

  test('that it went on is still shown to who may read none', async () => {
    const { timeline: shown, plan: planned, deleting } = await seenBy(whoReads());
    expect(shown).toEqual({ ...timeline, pods: [], marks: [{ ...timeline.marks[0], message: '' }] });
    expect(planned?.phases).toEqual([{ phase: 'drain', does: 'work', why: '' }]);
    expect(deleting?.standing).toMatchObject({
      phase: 'drain',
      waitsFor: { reason: 'DrainingNode', message: '' },
    });
  });

  test('the Pods of a namespace are shown to who may read these, and no text', async () => {
    const seen = await seenBy(whoReads('shop'));
    expect(JSON.stringify(seen)).not.toMatch(/bank|vault/);
    expect(seen.timeline?.pods).toEqual([podOf('shop/web-1')]);
    expect(seen.plan?.pods.map(({ namespace }) => namespace)).toEqual(['shop']);
    expect(seen).toMatchObject({ history: [], unread: [hidden] });
  });

  test('no record is shown to who may read the Pods that are left, but not the one that went', async () => {
    const seen = await seenBy(whoReads('shop', 'bank'));
    expect(JSON.stringify(seen)).not.toMatch(/vault/);
    expect(seen.plan).toEqual(plan);
    expect(seen.explanation).toEqual(explanation);
    expect(seen.timeline?.pods).toEqual([podOf('shop/web-1'), podOf('bank/web-1')]);
    expect(seen).toMatchObject({ history: [], unread: [recordsHidden] });
  });

  test('all is shown to who may read the Pods that are left where there is no record', async () => {
    const { explanation: _, ...rest } = view;
    const without = { ...rest, explanation, history: [], timeline: { ...timeline, pods: [], marks: [] } };
    expect(await seenBy(whoReads('shop', 'bank'), without)).toEqual(without);
  });

  test('nothing that names one is shown of one that is gone', async () => {
    const seen = await seenBy(whoReads('shop', 'bank', 'vault'), gone());
    expect(seen).toMatchObject({ state: 'gone', went: { at: now }, history: [], unread: [hidden] });
    expect(seen.timeline?.marks).toEqual([{ ...timeline.marks[0], message: '' }]);
    expect(JSON.stringify(await seenBy(whoReads(), gone()))).not.toMatch(/web-1|key-1|shop|bank|vault/);
  });

  test('nothing at all is shown to who may not get the Machine', async () => {
    const seen = await seenBy(async ({ resource }) => resource !== 'machines');
    expect(seen).toEqual({
      kind: 'machine',
      ...named,
      now,
      subject: 'the cluster',
      state: 'unknown',
      history: [],
      notes: [],
      unread: [],
    });
  });
});
