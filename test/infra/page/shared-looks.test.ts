import { describe, expect, test } from 'vitest';
import { SharedLooks } from '../../../infra/page/look/shared-looks.ts';

function aPage() {
  const time = { seconds: 0 };
  const looks = new SharedLooks<string>({
    stopwatch() {
      const began = time.seconds;
      return () => (time.seconds - began) * 1_000;
    },
  });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const heard: string[] = [];
  /** Reads as one more reader; the look lasts until `end`. */
  const read = (key: string, reader = String(heard.length)) => {
    const look = () => {
      begun.push(key);
      return new Promise<string>((resolve) => ends.push(() => resolve(`${key} ${begun.length}`)));
    };
    return looks.read(key, look, (found) => heard.push(`${reader}: ${found}`));
  };
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { read, end, begun, heard, time };
}

describe('looks that cost much', () => {
  test('are made when they are asked for, and not again for who reads on', async () => {
    const { read, end, begun, heard, time } = aPage();
    read('all', 'ada');
    await end();
    time.seconds = 3_600;
    expect([begun, heard]).toEqual([['all'], ['ada: all 1']]);
  });

  test('are shared by who asks while one is under way', async () => {
    const { read, end, begun, heard } = aPage();
    read('all', 'ada');
    read('all', 'bob');
    await end();
    expect([begun, heard]).toEqual([['all'], ['ada: all 1', 'bob: all 1']]);
  });

  test.each([
    ['the same one soon after it was made', 9, ['all'], 'bob: all 1'],
    ['a new one later', 10, ['all', 'all'], 'bob: all 2'],
  ])('give %s', async (_what, seconds, expected, last) => {
    const { read, end, begun, heard, time } = aPage();
    read('all', 'ada');
    await end();
    time.seconds = seconds;
    read('all', 'bob');
    await end();
    expect([begun, heard]).toEqual([expected, ['ada: all 1', last]]);
  });

  test('are made one after the other', async () => {
    const { read, end, begun, heard } = aPage();
    read('blue', 'ada');
    read('green', 'bob');
    expect(begun).toEqual(['blue']);
    await end();
    expect(begun).toEqual(['blue', 'green']);
    await end();
    expect(heard).toEqual(['ada: blue 1', 'bob: green 2']);
  });

  test('are not made for who has gone before their turn', async () => {
    const { read, end, begun, heard } = aPage();
    read('blue', 'ada');
    const leave = read('green', 'bob');
    read('red', 'eve');
    leave();
    await end();
    await end();
    expect([begun, heard]).toEqual([
      ['blue', 'red'],
      ['ada: blue 1', 'eve: red 2'],
    ]);
  });

  test('come to their end for who asks once more, though the first reader has gone', async () => {
    const { read, end, begun, heard } = aPage();
    const leave = read('all', 'ada');
    leave();
    read('all', 'ada again');
    await end();
    expect([begun, heard]).toEqual([['all'], ['ada again: all 1']]);
  });
});
