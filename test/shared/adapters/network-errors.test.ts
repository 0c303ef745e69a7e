import { expect, test } from 'vitest';
import { isLostConnection } from '../../../shared/adapters/network-errors.ts';

const failing = (code: string): Error => Object.assign(new Error('failed'), { code });

test.each([
  ['a socket that the other side has closed', failing('UND_ERR_SOCKET'), true],
  ['a connection that was reset on its way', failing('ECONNRESET'), true],
  ['a connection that nobody reads any more', failing('EPIPE'), true],
  ['nobody who listens', failing('ECONNREFUSED'), false],
  ['no answer in time', failing('UND_ERR_HEADERS_TIMEOUT'), false],
  ['something that has no code', new Error('failed'), false],
  ['nothing', undefined, false],
])('whether %s is a connection that was lost', (_what, error, isLost) => {
  expect(isLostConnection(error)).toBe(isLost);
});
