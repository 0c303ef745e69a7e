import { expect, test } from 'vitest';
import { undecidable, unknownBy } from '../../../shared/dialects/gate.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';

test.each<[string, { retryAfterSeconds?: number }]>([
  ['says for how long the API wants to be left alone', { retryAfterSeconds: 45 }],
  ['says nothing of that where the API does not', {}],
])('what could not be read %s, and so does what cannot be decided for it', (_what, later) => {
  const unknown = unknownBy(new Unavailable('slow down', later));
  expect(unknown).toStrictEqual({ kind: 'unknown', why: 'slow down', ...later });
  const error = undecidable('the server could not be read', unknown);
  expect(error).toBeInstanceOf(Unavailable);
  expect([error.message, error.retryAfterSeconds]).toEqual([
    'the server could not be read: slow down',
    later.retryAfterSeconds,
  ]);
});
