import { expect, test } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { machines } from './built-stage.ts';
import { nothingIsWritten } from './nothing-is-written.ts';
import { exchangeOf, openStage } from './stage.ts';

const patch: Partial<Exchange> = { verb: 'patch', resource: machines, namespace: 'fleet', name: 'm1' };
const event: Partial<Exchange> = { verb: 'create', resource: 'events', namespace: 'fleet' };
const tick: Partial<Exchange> = { verb: 'patch', resource: 'pingsources.sources.knative.dev' };
const watching = { capi: 'observe' } as const;

test.each<[string, Partial<Exchange>, { mode?: typeof watching; observeEvents?: boolean }, number]>([
  ['a Machine is written', patch, { mode: watching }, 1],
  ['a Machine is read', { ...patch, verb: 'get' }, { mode: watching }, 0],
  ['an Event is written that was not asked for', event, { mode: watching }, 1],
  ['an Event is written that was asked for', event, { mode: watching, observeEvents: true }, 0],
  ['the tick rests', tick, { mode: watching }, 0],
  ['phaseout does more than to watch', patch, {}, 0],
])('it is noticed where %s', async (_what, exchange, config, cries) => {
  const stage = await openStage(nothingIsWritten);
  stage.world.config = { ...stage.world.config, ...config };
  stage.observer.leaves?.(exchangeOf(exchange));
  expect(stage.cries).toHaveLength(cries);
});
