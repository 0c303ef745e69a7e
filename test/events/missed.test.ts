import { describe, expect, test } from 'vitest';
import type { CloudEvent } from '../../events/envelope.ts';
import { isMissed } from '../../events/missed.ts';

const an = (type: string, rest: Partial<CloudEvent> = {}): CloudEvent => ({
  specversion: '1.0',
  id: '1',
  source: '/s',
  type,
  ...rest,
});
const update = an('dev.knative.apiserver.resource.update', { apiversion: 'a/v1', kind: 'Machine' });
const ping = an('dev.knative.sources.ping');
const advance = an('dev.phaseout.deletion.advance.v1', { phase: 'drain' });
const fact = an('dev.phaseout.deletion.started.v1', { phase: 'drain' });
const foreign = an('com.example.thing');

describe('where its Trigger is known, an event is missed if the Trigger asks for it', () => {
  test.each<[string, CloudEvent, string, boolean]>([
    ['a type', ping, 'type=dev.knative.sources.ping', true],
    ['another type', advance, 'type=dev.knative.sources.ping', false],
    ['one of several types', update, `type=other&type=${update.type}&kind=Machine`, true],
    ['none of several types', fact, `type=other&type=${update.type}`, false],
    ['a type and another phase', advance, `type=${advance.type}&phase=node`, false],
    ['an attribute that it does not have', ping, 'phase=drain', false],
    ['any value of one that it has', advance, 'phase=', true],
    ['any value of one that it does not have', ping, 'phase=', false],
    ['any value of one that is empty', an('t', { phase: '' }), 'phase=', false],
    ['a number', an('t', { count: 5 }), 'count=5', true],
    ['an extension of its own', an('t', { other: 'x' }), 'other=x', true],
  ])('%s', (_what, event, asked, expected) => {
    const selected = new URLSearchParams(asked);
    // An answer of whatever function says no more than the Trigger itself.
    for (const destination of [undefined, 'http://phaseout/drain', 'http://phaseout/sweep'])
      expect(isMissed(event, { selected, destination })).toBe(expected);
  });
});

describe('where only the destination is known, an event is missed if the function there takes it', () => {
  test.each<[string, CloudEvent[]]>([
    ['intake', [update]],
    ['sweep', [ping]],
    ['drain', [advance]],
    ['node', []],
    ['dead-letter', [update, ping, advance, fact, foreign]],
    ['', [update, ping, advance, fact, foreign]],
  ])('%s', (path, expected) => {
    const addressee = {
      selected: new URLSearchParams(),
      destination: `http://phaseout.phaseout.svc/${path}`,
    };
    const events = [update, ping, advance, fact, foreign];
    expect(events.filter((event) => isMissed(event, addressee))).toEqual(expected);
  });
});

test.each([
  ['there is no destination', undefined],
  ['it is no URL', 'phaseout'],
])('where nothing is known of the addressee, since %s, every event is missed', (_why, destination) => {
  const addressee = { selected: new URLSearchParams(), destination };
  for (const event of [update, ping, advance, fact, foreign]) expect(isMissed(event, addressee)).toBe(true);
});
