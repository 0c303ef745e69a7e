import { describe, expect, test } from 'vitest';
import { KeyedQueue } from '../../../shared/async/under-way.ts';

/** Runs that note when they begin and end when they are told to. */
function runs() {
  const begun: string[] = [];
  const ends = new Map<string, { answer: () => void; fail: () => void }>();
  const run = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve, reject) => {
      ends.set(name, { answer: () => resolve(name), fail: () => reject(new Error(name)) });
    });
  };
  return {
    begun,
    run,
    end: (name: string) => ends.get(name)!.answer(),
    fail: (name: string) => ends.get(name)!.fail(),
  };
}

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

describe('one step at a time for a Machine', () => {
  test('the next begins when the one before has ended', async () => {
    const turns = new KeyedQueue();
    const { begun, run, end } = runs();
    const first = turns.run('m', 'a', run('first'));
    const second = turns.run('m', 'b', run('second'));
    const third = turns.run('m', 'c', run('third'));
    await settled();
    expect(begun).toEqual(['first']);
    end('first');
    expect(await first).toBe('first');
    await settled();
    expect(begun).toEqual(['first', 'second']);
    end('second');
    expect(await second).toBe('second');
    await settled();
    end('third');
    expect(await third).toBe('third');
  });

  test('the next begins also when the one before has failed, which is only its own failure', async () => {
    const turns = new KeyedQueue();
    const { run, end, fail } = runs();
    const first = turns.run('m', 'a', run('first'));
    const second = turns.run('m', 'b', run('second'));
    await settled();
    fail('first');
    await expect(first).rejects.toThrow('first');
    await settled();
    end('second');
    expect(await second).toBe('second');
  });

  test('Machines do not wait for each other', async () => {
    const turns = new KeyedQueue();
    const { begun, run, end } = runs();
    const both = [turns.run('m-1', 'a', run('one')), turns.run('m-2', 'a', run('other'))];
    await settled();
    expect(begun).toEqual(['one', 'other']);
    end('one');
    end('other');
    expect(await Promise.all(both)).toEqual(['one', 'other']);
  });
});

describe('joining', () => {
  test('who asks for the same while somebody waits is served by that run, whose result is told once', async () => {
    const turns = new KeyedQueue();
    const { begun, run, end } = runs();
    const running = turns.run('m', 'same', run('running'));
    const waiting = turns.run('m', 'same', run('waiting'));
    const joining = [turns.run('m', 'same', run('joining')), turns.run('m', 'same', run('joining too'))];
    await settled();
    end('running');
    await settled();
    expect(begun).toEqual(['running', 'waiting']);
    end('waiting');
    expect(await running).toBe('running');
    expect(await waiting).toBe('waiting');
    expect(await Promise.all(joining)).toEqual([undefined, undefined]);
    expect(begun).toEqual(['running', 'waiting']);
  });

  test('a run that has begun is never joined: it may have looked before', async () => {
    const turns = new KeyedQueue();
    const { begun, run, end } = runs();
    const first = turns.run('m', 'same', run('first'));
    const second = turns.run('m', 'same', run('second'));
    await settled();
    end('first');
    await first;
    await settled();
    const third = turns.run('m', 'same', run('third'));
    await settled();
    expect(begun).toEqual(['first', 'second']);
    end('second');
    await second;
    await settled();
    end('third');
    expect(await third).toBe('third');
  });

  test('another request is not joined', async () => {
    const turns = new KeyedQueue();
    const { run, end } = runs();
    void turns.run('m', 'a', run('running'));
    const waiting = turns.run('m', 'a', run('waiting'));
    const other = turns.run('m', 'b', run('other'));
    await settled();
    end('running');
    await settled();
    end('waiting');
    await waiting;
    await settled();
    end('other');
    expect(await other).toBe('other');
  });

  test('who joined a run that fails hears of the failure', async () => {
    const turns = new KeyedQueue();
    const { run, end, fail } = runs();
    void turns.run('m', 'a', run('running'));
    const waiting = turns.run('m', 'a', run('waiting'));
    const joining = turns.run('m', 'a', run('joining'));
    await settled();
    end('running');
    await settled();
    fail('waiting');
    await expect(waiting).rejects.toThrow('waiting');
    await expect(joining).rejects.toThrow('waiting');
  });
});

describe('settled', () => {
  test('is at once while nothing runs', async () => {
    expect(await new KeyedQueue().settled('m')).toBeUndefined();
  });

  test('waits for the step that runs, however it ends', async () => {
    const turns = new KeyedQueue();
    const { run, fail } = runs();
    const step = turns.run('m', 'a', run('step'));
    let isSettled = false;
    const wait = async () => {
      await turns.settled('m');
      isSettled = true;
    };
    const waiting = wait();
    await settled();
    expect(isSettled).toBe(false);
    fail('step');
    await expect(step).rejects.toThrow('step');
    await waiting;
    expect(isSettled).toBe(true);
  });
});

describe('idle', () => {
  test('is at once while nothing runs, also after something did', async () => {
    const turns = new KeyedQueue();
    const { run, end } = runs();
    const step = turns.run('m', 'a', run('step'));
    await settled();
    end('step');
    await step;
    expect(await turns.idle()).toBeUndefined();
  });

  test('waits for the steps of all Machines, and for those that come meanwhile, however they end', async () => {
    const turns = new KeyedQueue();
    const { run, end, fail } = runs();
    const failing = turns.run('m-1', 'a', run('failing'));
    let isIdle = false;
    const waiting = turns.idle().then(() => (isIdle = true));
    void turns.run('m-2', 'a', run('other'));
    await settled();
    fail('failing');
    await expect(failing).rejects.toThrow('failing');
    await settled();
    expect(isIdle).toBe(false);
    end('other');
    await waiting;
    expect(isIdle).toBe(true);
  });
});
