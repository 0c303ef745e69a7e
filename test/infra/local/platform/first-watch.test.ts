import { expect, it } from 'vitest';
import { noticingFirstWatches } from '../../../../infra/local/platform/first-watch.ts';
import { pods } from '../../../../shared/kubernetes/resources.ts';
import { manualClock } from '../../../shared/adapters/kubernetes/manual-clock.ts';
import { settled } from '../../../shared/reconcile/reads.ts';
import { watchedApi } from '../../../shared/reconcile/watches.ts';

const silent = { changed: () => undefined, ended: () => undefined };

function sourcesFor(...sources: { namespaces?: string[] }[]) {
  const clock = manualClock();
  const noticing = noticingFirstWatches(watchedApi().api, sources, clock);
  let areOpen = false;
  void noticing.areOpen().then(() => void (areOpen = true));
  const open = (namespace?: string) =>
    noticing.api.watch(pods, namespace === undefined ? {} : { namespace }, '1', silent);
  return { clock, open, areOpen: () => settled().then(() => areOpen) };
}

it('without sources nothing is waited for', async () => {
  expect(await sourcesFor().areOpen()).toBe(true);
});

it('a source of all namespaces opens one watch, others one for each that they name', async () => {
  const { open, areOpen } = sourcesFor({}, { namespaces: ['a', 'b'] });
  open();
  open('a');
  expect(await areOpen()).toBe(false);
  open('b');
  expect(await areOpen()).toBe(true);
});

it('the same watch that is opened again is no other one', async () => {
  const { open, areOpen } = sourcesFor({ namespaces: ['a', 'b'] });
  open('a');
  open('a');
  expect(await areOpen()).toBe(false);
});

it('a cluster that does not let them is waited for five seconds', async () => {
  const { clock, areOpen } = sourcesFor({});
  await clock.advance(4_999);
  expect(await areOpen()).toBe(false);
  await clock.advance(1);
  expect(await areOpen()).toBe(true);
});
