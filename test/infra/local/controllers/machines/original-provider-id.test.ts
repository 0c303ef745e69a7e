import { expect, test } from 'vitest';
import { isSameServer } from '../../../../../infra/local/controllers/machines/original-provider-id.ts';

test.each([
  ['the same', 'aws:////i-1', 'aws:////i-1', true],
  ['one without and one with the zone', 'aws:////i-1', 'aws:///eu-1a/i-1', true],
  ['of two servers of a zone', 'aws:///eu-1a/i-1', 'aws:///eu-1a/i-2', false],
  ['of two servers, with a slash at the end', 'aws:///eu-1a/i-1/', 'aws:///eu-1a/i-2/', false],
  ['of two clouds', 'aws:////i-1', 'azure:////i-1', false],
])('provider ids that are %s', (_what, one, other, isSame) => {
  expect(isSameServer(one, other)).toBe(isSame);
});
