import { expect, test } from 'vitest';
import { createBroker } from '../../../../infra/local/eventing/broker.ts';
import { anEvent } from './events.ts';
import { scriptedPost } from './scripted-post.ts';
import { virtualClock } from './virtual-clock.ts';

const subscriber = 'http://subscriber/';

// Where no Trigger has a time-out, the event would be lost for ever.
test('a subscriber that says nothing is waited for fifteen minutes, and not longer', async () => {
  const clock = virtualClock();
  const { post } = scriptedPost(clock, { [subscriber]: { hangs: true } });
  const broker = createBroker({ clock, post, triggers: [{ name: 'only', subscriber }] });
  const start = clock.now();
  const { status } = await clock.run(broker.publish(anEvent()));
  expect([status, clock.now() - start]).toEqual([500, 900_000]);
});
