import { expect, test } from 'vitest';
import { untilReady } from '../../../../infra/cli/deploy/until-ready.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';
import { trigger } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';

/** A Trigger that does not get ready, for a reason that can be changed. */
async function aTrigger() {
  const { site, told } = siteAt(await aCluster());
  const state = { message: 'no Broker' };
  const { kubernetes } = site;
  kubernetes.discover = async (group, _kind, version = 'v1') => ({ group, version, plural: 'triggers' });
  kubernetes.get = async () => ({
    ...trigger('drain'),
    status: { conditions: [{ type: 'Ready', status: 'False', reason: 'NotYet', message: state.message }] },
  });
  const clock = manualClock();
  return { site: { ...site, clock }, clock, told, state };
}

const waiting = (message: string) => ({
  event: 'waiting',
  object: 'Trigger phaseout/drain',
  why: `NotYet: ${message}`,
});

test('what does not get ready is waited for until the time limit', async () => {
  const { site, clock } = await aTrigger();
  let unready: unknown;
  const work = untilReady(site, [trigger('drain')], { timeoutSeconds: 60 }).then((is) => (unready = is));
  await clock.advance(59_000);
  expect(unready).toBeUndefined();
  await clock.advance(1_000);
  await work;
  expect(unready).toEqual([{ object: 'Trigger phaseout/drain', why: 'NotYet: no Broker' }]);
});

test('what is waited for is told once, and again when the reason is another one', async () => {
  const { site, clock, told, state } = await aTrigger();
  const work = untilReady(site, [trigger('drain')], { timeoutSeconds: 10 });
  await clock.advance(5_000);
  state.message = 'no subscriber';
  await clock.advance(5_000);
  await work;
  expect(told).toEqual([waiting('no Broker'), waiting('no subscriber')]);
});
