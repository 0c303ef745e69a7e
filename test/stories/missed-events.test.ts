import { describe, expect, it } from 'vitest';
import { endWith, type Missed, playMissed } from './missed-events/missed.ts';
import { bound } from './missed-events/of-bound-sources.ts';
import { failing } from './missed-events/of-brokers.ts';
import { misleading, ticks } from './missed-events/of-events.ts';
import { resting } from './missed-events/of-rest.ts';
import { atTheStart, meanwhile } from './missed-events/of-sources.ts';

const groups: [string, Record<string, Missed>][] = [
  ['what exists when the sources start is found', atTheStart],
  ['what happens while the source is down is found', meanwhile],
  ['events that mislead', misleading],
  ['ticks', ticks],
  ['the tick that rests', resting],
  ['a Broker that fails ends no deletion', failing],
  ['sources are bound to the functions', bound],
];

describe.each(groups)('%s', (_group, stories) => {
  it.each(Object.entries(stories))('%s', async (_title, missed) => {
    const { end } = await playMissed(missed);
    expect(end).toStrictEqual(endWith(...(missed.left ?? [])));
  });
});
