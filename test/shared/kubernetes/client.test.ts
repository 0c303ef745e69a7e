import { expect, test } from 'vitest';
import { workloadName } from '../../../shared/kubernetes/client.ts';
import { NoCredentials, Unavailable } from '../../../shared/kubernetes/errors.ts';

test('who could not look says why, what lies behind it, and when to come again', () => {
  const cause = new Error('ECONNREFUSED');
  const error = new Unavailable('no answer', { cause, retryAfterSeconds: 7 });
  expect(error).toMatchObject({ name: 'Unavailable', message: 'no answer', retryAfterSeconds: 7 });
  expect(error.cause).toBe(cause);
});

test('who has no access could not look either', () => {
  const error = new NoCredentials('the Secret is missing');
  expect(error).toBeInstanceOf(Unavailable);
  expect(error).toMatchObject({ name: 'NoCredentials', message: 'the Secret is missing' });
});

test('workload clusters are told apart by namespace and name, and from the one that has the Machine', () => {
  const names = ['a', 'b'].map((namespace) => workloadName({ kind: 'cluster', namespace, clusterName: 'c' }));
  expect([...names, workloadName({ kind: 'here' })]).toEqual(['a/c', 'b/c', 'here']);
});
