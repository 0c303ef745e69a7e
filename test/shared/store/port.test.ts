import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../shared/store/port.ts';

test('who could not reach the store says why, and what lies behind it', () => {
  const cause = new Error('ECONNREFUSED');
  const error = new StoreUnavailable('no answer', cause);
  expect(error).toMatchObject({ name: 'StoreUnavailable', message: 'no answer' });
  expect(error.cause).toBe(cause);
});
