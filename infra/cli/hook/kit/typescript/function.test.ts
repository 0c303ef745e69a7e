import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reply } from './function.ts';

const machine = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  namespace: 'my-namespace',
  name: 'worker-1',
  uid: 'a-uid',
  labels: {},
};
const call = {
  hook: 'my-namespace/my-hook',
  place: 'PreDrain',
  machine,
  begins: '2026-01-01T00:00:00Z',
  attempt: 1,
};
const headers = { 'ce-type': 'dev.phaseout.hook.call.v1', 'ce-answerto': 'a-token' };

test('a call is answered with its own token, and the work goes on', async () => {
  const answered = await reply(headers, JSON.stringify(call));
  assert.equal(answered.headers['ce-answerto'], 'a-token');
  assert.equal(JSON.parse(answered.body).state, 'Working');
});

test('a call that comes twice is answered twice', async () => {
  const both = await Promise.all([1, 2].map(() => reply(headers, JSON.stringify(call))));
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
});

test('nothing else is answered', async () => {
  const others = [reply({}, JSON.stringify(call)), reply(headers, '{}'), reply(headers, '')];
  assert.deepEqual(
    (await Promise.all(others)).map(({ status }) => status),
    [400, 400, 400],
  );
});
