import { expect, test } from 'vitest';
import type { EventFate, EventPassage } from '../platform/event-fate.ts';
import { anyhow, fatesBy, sorted } from './fates.ts';

const ping = 'dev.knative.sources.ping';
const advance = 'dev.phaseout.deletion.advance.v1';

const passages: Readonly<Record<string, (id: string) => EventPassage>> = {
  'a tick': (id) => passage(ping, undefined, id),
  'a tick to its function': (id) => passage(ping, '/sweep', id),
  'a command': (id) => passage(advance, undefined, id),
  'a command to its function': (id) => passage(advance, '/drain', id),
};

const passage = (type: string, to: string | undefined, id: string): EventPassage => ({
  to,
  event: { attributes: { type, id, source: 'a' }, data: Buffer.from('{}') },
});

const any = Object.keys(passages);
const ticks = any.filter((what) => what.startsWith('a tick'));

function words(fate: EventFate): string {
  if (typeof fate === 'string') return fate;
  if ('times' in fate) return `comes ${fate.times} times`;
  if (fate.delayMilliseconds <= 10_000) return 'comes seconds late';
  return fate.delayMilliseconds <= 60_000 ? 'comes late' : 'comes minutes or hours late';
}

test.each<[name: string, fates: Record<string, readonly string[]>]>([
  ['events-lost', { 'is lost': any }],
  ['events-repeated', anyhow(any, ...[2, 3, 4, 5].map((times) => `comes ${times} times`))],
  ['events-reordered', { 'comes seconds late': any }],
  ['events-delayed', anyhow(any, 'comes seconds late', 'comes late', 'comes minutes or hours late')],
  ['events-refused', anyhow(any, 'is refused', 'finds nobody')],
  ['answer-lost', { 'is not answered': any }],
  ['ticks-late', anyhow(ticks, 'comes seconds late', 'comes late')],
  ['ticks-doubled', { 'comes 2 times': ticks }],
  ['ticks-missing', { 'is lost': ticks }],
])('what %s does to events, and to which', async (name, fates) => {
  let sent = 0;
  expect(
    await fatesBy(name, any, ({ meddlers }, kind) => {
      sent += 1;
      const asked = passages[kind]?.(String(sent));
      const fate = asked && meddlers.event(asked);
      return fate && words(fate);
    }),
  ).toEqual(sorted(fates));
});

test('what comes several times does not come several times again, each of them', async () => {
  const repeated = new Set<string>();
  const fates = await fatesBy('events-repeated', ['first', 'again'], (world, kind) => {
    const id = String(world.now());
    const fate = world.meddlers.event(passage(advance, '/drain', id));
    if (kind === 'again') return fate !== undefined && repeated.has(id) ? words(fate) : undefined;
    if (fate === undefined) repeated.delete(id);
    else repeated.add(id);
    return undefined;
  });
  expect({ fates, isTried: repeated.size > 0 }).toEqual({ fates: {}, isTried: true });
});
