import { describe, expect, test } from 'vitest';
import { secretToken } from '../../../../shared/adapters/actuator/secret-token.ts';
import type { Key, Resource } from '../../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { manualClock } from '../kubernetes/manual-clock.ts';

/** An API that has the Secret as it is in `data`, and counts how often it is asked. */
function aTokenFrom(data: Record<string, string> | undefined) {
  const clock = manualClock();
  const state = { data, reads: 0, broken: false };
  const kubernetes = {
    async get(resource: Resource, { namespace = '', name }: Key): Promise<KubeObject | undefined> {
      expect([resource.plural, namespace, name]).toEqual(['secrets', 'phaseout', 'cloud']);
      state.reads += 1;
      if (state.broken) throw new Unavailable('the API is down');
      return state.data && { metadata: { name, namespace }, data: state.data };
    },
  };
  return { token: secretToken(kubernetes, { namespace: 'phaseout', name: 'cloud' }, clock), clock, state };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('a token is read from its Secret, without the newline it was saved with', async () => {
  const { token } = aTokenFrom({ token: base64(' s3cret\n') });
  expect(await token.current()).toBe('s3cret');
});

test.each([0, 3_600_000])(
  'a token is kept for a minute, also while it is being read: clock set back by %i',
  async (back) => {
    const { token, clock, state } = aTokenFrom({ token: base64('one') });
    await Promise.all([token.current(), token.current()]);
    state.data = { token: base64('two') };
    clock.setBack(back);
    await clock.advance(59_999);
    expect(await token.current()).toBe('one');
    expect(state.reads).toBe(1);
    await clock.advance(1);
    expect(await token.current()).toBe('two');
    expect(state.reads).toBe(2);
  },
);

test('a token that is no longer taken is read anew', async () => {
  const { token, state } = aTokenFrom({ token: base64('one') });
  await token.current();
  state.data = { token: base64('two') };
  token.forget();
  expect(await token.current()).toBe('two');
});

test('what could not be read is not kept', async () => {
  const { token, state } = aTokenFrom({ token: base64('one') });
  state.broken = true;
  await expect(token.current()).rejects.toThrow('the API is down');
  state.broken = false;
  expect(await token.current()).toBe('one');
});

test('a read that fails late does not cost the token that was read since', async () => {
  const { promise: late, reject } = Promise.withResolvers<KubeObject>();
  const answers = [late, Promise.resolve({ metadata: { name: 'cloud' }, data: { token: base64('new') } })];
  const kubernetes = { get: () => answers.shift() ?? Promise.reject(new Error('read once more')) };
  const token = secretToken(kubernetes, { namespace: 'phaseout', name: 'cloud' }, manualClock());
  const first = token.current();
  token.forget();
  expect(await token.current()).toBe('new');
  reject(new Unavailable('the API was down'));
  await expect(first).rejects.toThrow('the API was down');
  expect(await token.current()).toBe('new');
});

describe('nothing is known without a token', () => {
  const name = "Secret phaseout/cloud with the provider's token";
  test.each([
    ['the Secret is missing', undefined, `${name} does not exist`],
    ['the Secret has other keys', { password: base64('x') }, `${name} has no key "token"`],
    ['the token is empty', { token: base64('\n') }, `${name} has no key "token"`],
    [
      'the token cannot be sent',
      { token: base64('two\nlines') },
      `${name}: key "token" has characters that no HTTP header may have`,
    ],
  ])('%s', async (_, data, message) => {
    const { token } = aTokenFrom(data);
    await expect(token.current()).rejects.toEqual(new Unavailable(message));
  });
});
