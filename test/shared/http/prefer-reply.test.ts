import { expect, test } from 'vitest';
import { readsReply } from '../../../shared/http/function.ts';

test.each<[string | undefined, boolean]>([
  // Of a Broker, in whatever company.
  ['reply', true],
  ['Reply', true],
  ['respond-async, reply', true],
  ['reply, wait=10', true],
  ['reply; foo', true],
  // Of a source, and of others.
  [undefined, false],
  ['', false],
  ['replying', false],
  ['no-reply', false],
])('a sender that prefers %j: %s', (prefer, expected) => {
  expect(readsReply(prefer === undefined ? {} : { prefer })).toBe(expected);
});
