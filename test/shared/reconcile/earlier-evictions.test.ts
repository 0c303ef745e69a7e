import { expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import type { Fact } from '../../../shared/machine/messages.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';
import { aCommand, atCheckpoint, aWorld } from '../../builders/world.ts';

const begun = aCheckpoint({ seq: 1, phase: 'drain', since: timeAfter(10) });
const told = { kind: 'pod-evicted', phase: 'drain', seq: 1, machine: aCommand().machine };
const web = { ...told, pod: { namespace: 'shop', name: 'web-1', uid: 'shop/web-1' } };

const evictionsIn = (all: readonly Fact[]) => all.filter(({ kind }) => kind === 'pod-evicted');

/** A Node in mid-drain, whose Pod goes since an instance has evicted it that was killed. */
function aDrainLeftBehind({ evictedAfter = 20 } = {}) {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
  world.workload.put('nodes', aNode());
  const evictedAt = timeAfter(evictedAfter);
  const gone = pod('shop/web-1', { deletionTimestamp: evictedAt });
  const mark = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' } as const;
  gone.spec = { nodeName: 'node-1' };
  gone.status = { phase: 'Running', conditions: [{ ...mark, lastTransitionTime: evictedAt }] };
  world.workload.put('pods', gone);
  world.time.now = after(30);
  const step = async (env = world.another()) => (await reconcilePhase(env, drain, aCommand())).facts;
  return { world, step: async (env = world.another()) => evictionsIn(await step(env)) };
}

test('the next instance tells what one that was killed had evicted, and puts it on record', async () => {
  const { world, step } = aDrainLeftBehind();
  expect(await step()).toEqual([web]);
  const [record] = await world.env.store.podRecords('uid-1');
  expect(record).toMatchObject({ podUid: 'shop/web-1', outcome: 'accepted', lastAttempt: after(20) });
  const history = await world.env.store.history('uid-1');
  expect(history.find(({ what }) => what === 'acted')).toMatchObject({
    phase: 'drain',
    reason: 'DrainingNode',
    message: 'Evicted before this instance began, and not recorded: shop/web-1',
  });
});

test('it is told once: neither at the next look, nor by another instance that reads the record', async () => {
  const { world, step } = aDrainLeftBehind();
  const env = world.another();
  expect(await step(env)).toHaveLength(1);
  expect(await step(env)).toEqual([]);
  expect(await step()).toEqual([]);
});

test('what was evicted since this instance began is left to its own instance to tell', async () => {
  const { step } = aDrainLeftBehind({ evictedAfter: 30 });
  expect(await step()).toEqual([]);
});
