import { expect, test } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { apisAreLeftAlone } from './apis-are-left-alone.ts';
import { machines } from './built-stage.ts';
import { exchangeOf, openStage, type Stage } from './stage.ts';

const node: Partial<Exchange> = { verb: 'get', host: 'blue', resource: 'nodes', name: 'node-1' };

interface How {
  first?: Partial<Exchange>;
  second?: Partial<Exchange>;
  meanwhile?: (stage: Stage) => void;
}

/** The API asks for 30 seconds, and is asked again after so many. */
async function again(stage: Stage, seconds: number, how: How = {}): Promise<void> {
  const { first = node, second = first, meanwhile = () => undefined } = how;
  stage.observer.heldOff?.(exchangeOf(first), 30);
  await stage.pass(1_000);
  meanwhile(stage);
  await stage.pass((seconds - 1) * 1_000);
  stage.observer.leaves?.(exchangeOf(second));
}

const cry = 'instance-1: get nodes /node-1 of blue 20 s too early';

test.each<[string, (stage: Stage) => Promise<void>, string[]]>([
  ['too early', (stage) => again(stage, 10), [cry]],
  ['in the same step', (stage) => again(stage, 1), []],
  ['when it said', (stage) => again(stage, 30), []],
  ['by another instance', (stage) => again(stage, 10, { second: { ...node, instance: 'instance-2' } }), []],
  ['for another Node', (stage) => again(stage, 10, { second: { ...node, name: 'node-2' } }), []],
  ['about a Machine that lives', (stage) => again(stage, 10, { first: { ...node, name: 'node-2' } }), []],
  ['about a Machine that has a copy', (stage) => again(copied(stage), 10), []],
  ['by a source', (stage) => again(stage, 10, { first: { ...node, instance: 'source-1' } }), []],
  ['for what is no read', (stage) => again(stage, 10, { first: { ...node, verb: 'patch' } }), []],
  ['after a Pod has come', (stage) => again(stage, 10, { meanwhile: (on) => void on.pod('a') }), []],
  [
    'after a command',
    (stage) => again(stage, 10, { meanwhile: (on) => on.tell('dev.phaseout.deletion.advance.v1', '1', {}) }),
    [],
  ],
  ['after a reply', (stage) => again(stage, 10, { meanwhile: replied }), []],
  [
    'after somebody has done something',
    (stage) => again(stage, 10, { meanwhile: ({ observer }) => observer.said?.('a user', 'labels it') }),
    [],
  ],
  ['after an event was told twice', (stage) => again(stage, 10, { meanwhile: hitBy('events-repeated') }), []],
  ['after another request was refused', (stage) => again(stage, 10, { meanwhile: hitBy('conflict') }), []],
  ['after a conflict', (stage) => again(stage, 10, { meanwhile: answered(409) }), []],
  ['by whom so much was asked that it comes again', (stage) => again(busy(stage), 10), []],
  ['after what could not be saved', (stage) => again(stage, 10, { meanwhile: unsaved }), []],
  ['after a write', (stage) => again(stage, 10, { meanwhile: answered(200) }), [cry]],
  ['after another was to wait', (stage) => again(stage, 10, { meanwhile: hitBy('throttled') }), [cry]],
])('an API that asked for time is asked again %s', async (_when, act, cries) => {
  const stage = await openStage(apisAreLeftAlone);
  await act(stage);
  expect(stage.cries).toEqual(cries);
});

function busy(stage: Stage): Stage {
  stage.observer.logged?.('instance-1', 'warn', 'Request was not served', { failure: 'too-many' });
  return stage;
}

/** The step comes to nothing, and is asked for again. */
function unsaved({ observer }: Stage): void {
  const checkpoint = { verb: 'patch', resource: machines, namespace: 'fleet', name: 'm1' };
  observer.invented?.(exchangeOf(checkpoint), { code: 429, message: 'Too many requests' });
}

function copied(stage: Stage): Stage {
  const infrastructureRef = { name: 'm1' };
  stage.patchMachine({ spec: { infrastructureRef } });
  const other = stage.world.management.get(machines, 'fleet', 'm2');
  if (other !== undefined) stage.world.management.patch(machines, other, { spec: { infrastructureRef } });
  return stage;
}

function replied({ observer }: Stage): void {
  const event = { attributes: { type: 'a', id: '1' }, data: Buffer.from('') };
  observer.replied?.(event, event);
}

function answered(code: number): (stage: Stage) => void {
  const write = exchangeOf({ ...node, verb: 'patch' });
  return ({ observer }) => observer.after?.(write, { code, body: undefined });
}

function hitBy(fault: string): (stage: Stage) => void {
  return ({ observer }) => observer.hit?.(fault, [], undefined);
}
