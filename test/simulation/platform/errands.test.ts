import { expect, test } from 'vitest';
import { Errands } from './errands.ts';

const never = (): Promise<void> => new Promise(() => undefined);
const later = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('what was waited for is done, and what was not is left', async () => {
  const errands = new Errands();
  const { answer, left } = await errands.during(async () => {
    await errands.note('a write', later());
    void errands.note('a record', never());
    return 'said';
  });
  expect({ answer, left }).toEqual({ answer: 'said', left: ['a record'] });
});

test('so is what has failed', async () => {
  const errands = new Errands();
  const { left } = await errands.during(async () => {
    await errands.note('a write', Promise.reject(new Error('no'))).catch(() => undefined);
  });
  expect(left).toEqual([]);
});

test('each request has its own, and what none has led to is of none', async () => {
  const errands = new Errands();
  void errands.note('by itself', never());
  const one = errands.during(async () => {
    void errands.note('for one', never());
    await later();
  });
  const other = errands.during(later);
  expect((await one).left).toEqual(['for one']);
  expect((await other).left).toEqual([]);
});
