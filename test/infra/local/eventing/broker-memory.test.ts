import { expect, test } from 'vitest';
import { createBroker } from '../../../../infra/local/eventing/broker.ts';
import { anEvent } from './events.ts';
import { scriptedPost } from './scripted-post.ts';
import { virtualClock } from './virtual-clock.ts';

const subscriber = 'http://subscriber/';

// What is served for days may meet a subscriber that refuses everything.
test('of dead letters the latest thousand are kept, and each is told of', async () => {
  const clock = virtualClock();
  const network = scriptedPost(clock, { [subscriber]: { status: 400 } });
  let told = 0;
  const broker = createBroker({
    clock,
    post: network.post,
    triggers: [{ name: 'only', subscriber, delivery: { retry: 0 } }],
    onDeadLetter: () => (told += 1),
  });
  for (let id = 0; id < 1_002; id += 1) await broker.publish(anEvent({ id: String(id) }));
  const kept = broker.deadLetters().map(({ event }) => event.attributes['id']);
  expect([kept.length, kept.at(0), kept.at(-1), told]).toEqual([1_000, '2', '1001', 1_002]);
});
