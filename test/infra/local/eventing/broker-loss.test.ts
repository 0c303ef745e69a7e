import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBroker } from '../../../../infra/local/eventing/broker.ts';
import { anEvent } from './events.ts';
import { type Answer, scriptedPost } from './scripted-post.ts';
import { virtualClock } from './virtual-clock.ts';

const answers = fc.constantFrom<Answer>(
  { status: 204 },
  { status: 400 },
  { status: 409 },
  { status: 503 },
  { body: 'not an event' },
  { reset: true },
  { hangs: true },
  { headers: { 'ce-specversion': '1.0', 'ce-id': 'r', 'ce-source': '/fn', 'ce-type': 'dev.nobody' } },
  { headers: { 'ce-specversion': '1.0' } },
);

test('every event is delivered or told as a dead letter exactly once, whatever subscribers answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(answers, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (scripts, async) => {
        const clock = virtualClock();
        const seen = new Map<string, number>();
        const network = scriptedPost(clock, {
          'http://subscriber/': ({ headers }) => {
            const id = headers['Ce-Id']!;
            const attempt = seen.get(id) ?? 0;
            seen.set(id, attempt + 1);
            return scripts[Number(id)]?.[attempt] ?? { status: 204 };
          },
        });
        const delivery = {
          retry: 2,
          backoffPolicy: 'linear',
          backoffDelay: 'PT1S',
          timeout: 'PT5S',
        } as const;
        const filter = { attributes: { type: 'dev.test' } };
        const broker = createBroker({
          clock,
          post: network.post,
          async,
          triggers: [{ name: 'only', subscriber: 'http://subscriber/', delivery, filter }],
        });
        const published = scripts.map((_, id) => broker.publish(anEvent({ id: String(id) })));
        const statuses = (await clock.run(Promise.all(published))).map(({ status }) => status);
        await clock.run(broker.idle());

        const dead = broker.deadLetters().map(({ event }) => String(event.attributes.id));
        const expected = scripts.flatMap((script, id) => (isLost(script) ? [String(id)] : []));
        expect(dead.toSorted()).toEqual(expected);
        expect(statuses).toEqual(scripts.map((script) => (!async && isLost(script) ? 500 : 202)));
        expect(clock.pending()).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
});

/** The rules once more, as plainly as can be: three attempts, some answers end them early. */
function isLost(script: Answer[]): boolean {
  for (const { status, headers } of script) {
    if (status === 204) return false;
    if (status === 400) return true;
    if (headers !== undefined) return headers['ce-id'] === undefined;
  }
  return script.length === 3;
}
