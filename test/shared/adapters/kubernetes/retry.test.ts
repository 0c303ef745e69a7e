import { describe, expect, test } from 'vitest';
import { RetryBudget, withRetries } from '../../../../shared/adapters/kubernetes/load-limit.ts';
import type { Answer } from '../../../../shared/adapters/kubernetes/request.ts';
import { manualClock } from './manual-clock.ts';

const answer = (code: number, retryAfter?: string): Answer => ({ code, text: '', retryAfter });

/** Gives these answers, one each time; the last one again and again. */
function asking(...answers: [Answer, ...Answer[]]) {
  const clock = manualClock();
  const box = new AbortController();
  let times = 0;
  const ask = (): Promise<Answer> => Promise.resolve(answers[Math.min(times++, answers.length - 1)]!);
  const asked = withRetries(ask, { clock, signal: box.signal, retries: new RetryBudget() });
  return { clock, box, asked, times: () => times };
}

describe('a read', () => {
  test.each([200, 304, 400, 401, 403, 404, 409, 410])(
    'that is answered with %i is asked once',
    async (code) => {
      const { asked, times } = asking(answer(code));
      expect(await asked).toEqual(answer(code));
      expect(times()).toBe(1);
    },
  );

  test.each([429, 500, 502, 503, 504])(
    'that is answered with %i is asked again after 100 ms',
    async (code) => {
      const { clock, asked, times } = asking(answer(code), answer(200));
      await clock.advance(99);
      expect(times()).toBe(1);
      await clock.advance(1);
      expect(await asked).toEqual(answer(200));
    },
  );

  test('is asked three times within 400 ms, and then its refusal stands', async () => {
    const { clock, asked, times } = asking(answer(503));
    await clock.advance(400);
    expect(await asked).toEqual(answer(503));
    expect(times()).toBe(3);
  });

  test('waits as long as the server wants, if that is a second at most', async () => {
    const { clock, asked, times } = asking(answer(429, '1'), answer(200));
    await clock.advance(999);
    expect(times()).toBe(1);
    await clock.advance(1);
    expect(await asked).toEqual(answer(200));
  });

  test.each(['2', 'Fri, 31 Dec 2100 23:59:59 GMT'])(
    'is not asked again when the server wants %s to be waited for',
    async (wanted) => {
      const { asked, times } = asking(answer(429, wanted));
      expect(await asked).toEqual(answer(429, wanted));
      expect(times()).toBe(1);
    },
  );

  test('is given up when its time is over meanwhile', async () => {
    const { clock, box, asked } = asking(answer(503));
    const given = asked.catch(String);
    await clock.advance(50);
    box.abort();
    expect(await given).toBe('Error: the time is over');
    expect(clock.timers()).toBe(0);
  });
});

/** So many, one after the other, within one budget; how often the server was asked. */
async function askedFor(reads: number): Promise<number> {
  const clock = manualClock();
  const retries = new RetryBudget();
  const { signal } = new AbortController();
  let times = 0;
  const ask = async (): Promise<Answer> => {
    times += 1;
    return answer(503);
  };
  for (let read = 0; read < reads; read += 1) {
    const asked = withRetries(ask, { clock, signal, retries });
    await clock.advance(400);
    await asked;
  }
  return times;
}

describe('many reads that are refused each time', () => {
  test.each([
    [1, 3],
    [5, 15],
    [1_000, 1_109],
  ])(
    'of which there are %i are asked %i times: ten may be asked again, and then one in ten',
    async (reads, times) => {
      expect(await askedFor(reads)).toBe(times);
    },
  );
});
