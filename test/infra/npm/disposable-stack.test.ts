import { describe, expect, test } from 'vitest';
import { Stack } from '../../../infra/npm/disposable-stack.ts';

/** Node's own, and ours in its place. */
const kinds: [string, new () => AsyncDisposableStack | Stack][] = [
  ['of Node', AsyncDisposableStack],
  ['of the package', Stack],
];

const failing = (word: string) => () => Promise.reject(new Error(word));

describe.each(kinds)('the stack %s', (_, Kind) => {
  test('ends what it has, the last first, one after the other and once', async () => {
    const ended: string[] = [];
    const stack = new Kind();
    stack.defer(() => void ended.push('first'));
    stack.defer(async () => {
      await Promise.resolve();
      ended.push('last');
    });
    await stack.disposeAsync();
    await stack[Symbol.asyncDispose]();
    expect(ended).toEqual(['last', 'first']);
  });

  test('says that it is disposed from the moment on at which its end begins', async () => {
    const said: boolean[] = [];
    const stack = new Kind();
    stack.defer(() => void said.push(stack.disposed));
    said.push(stack.disposed);
    await stack.disposeAsync();
    expect(said).toEqual([false, true]);
  });

  test('ends the others though some fail, and tells of all failures', async () => {
    const ended: string[] = [];
    const stack = new Kind();
    stack.defer(failing('one'));
    stack.defer(() => void ended.push('two'));
    stack.defer(failing('three'));
    await expect(stack.disposeAsync()).rejects.toMatchObject({
      name: 'SuppressedError',
      error: { message: 'one' },
      suppressed: { message: 'three' },
    });
    expect(ended).toEqual(['two']);
  });

  test('throws a single failure as it is', async () => {
    const stack = new Kind();
    stack.defer(() => Promise.reject(new Error('alone')));
    await expect(stack.disposeAsync()).rejects.toThrow('alone');
  });
});
