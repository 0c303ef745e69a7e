import { expect, test } from 'vitest';
import { openEmbeddedStore, setUp } from '../../../../infra/local/store/embedded-store.ts';
import { silent } from '../../../../shared/runtime/log.ts';
import { StoreUnavailable } from '../../../../shared/store/port.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

/** How often the table is asked for before it is there, or is given up. */
async function triesOf(failing: number, error: Error) {
  let tries = 0;
  const ensureTable = (): Promise<'created'> => {
    tries += 1;
    return tries <= failing ? Promise.reject(error) : Promise.resolve('created');
  };
  const outcome = await setUp({ ensureTable }).then(
    () => 'there',
    (failure: unknown) => failure,
  );
  return { tries, outcome };
}

const late = new StoreUnavailable('no answer within 2000 ms');
const defect = new TypeError('a defect');

test.each([
  ['at once', 0, late, { tries: 1, outcome: 'there' }],
  ['by an engine that takes its time', 9, late, { tries: 10, outcome: 'there' }],
  ['not by one that never answers', Infinity, late, { tries: 10, outcome: late }],
  ['not through a defect', 1, defect, { tries: 1, outcome: defect }],
])('the table is set up %s', async (_how, failing, error, expected) => {
  expect(await triesOf(failing, error)).toEqual(expected);
});

const servers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap').length;

test('an engine whose table cannot be set up serves no longer', async () => {
  const before = servers();
  const tooShort = openEmbeddedStore('x', systemClock, silent);
  await expect(tooShort).rejects.toThrow('TableName must be at least 3 characters long');
  await expect.poll(servers, { timeout: 10_000 }).toBe(before);
});
