import { expect, test } from 'vitest';
import type { StoreFault } from './faults.ts';
import { aLook, openStore, start } from './open-store.ts';

interface Told {
  sent: number;
  milliseconds: number;
  /** Whether the look is in the table by then. */
  isWritten: boolean;
  /** What the instance thinks of its store. */
  isAvailable: boolean;
}

const told = (sent: number, milliseconds: number, isWritten: boolean, isAvailable: boolean): Told => ({
  sent,
  milliseconds,
  isWritten,
  isAvailable,
});

const before = { timeout: 'before' } as const;
const after = { timeout: 'after the effect' } as const;

const rows: [name: string, faults: StoreFault[], told: Told][] = [
  ['a call that is answered', ['none'], told(1, 0, true, true)],
  ['unreachable for a moment, it is sent again', ['unreachable'], told(2, 12, true, true)],
  ['unreachable for longer, it is lost', ['unreachable', 'unreachable'], told(2, 12, false, false)],
  ['throttled, it is sent again some time later', ['throttled'], told(2, 500, true, true)],
  ['throttled for longer, it is lost', ['throttled', 'throttled'], told(2, 500, false, false)],
  ['an error of the server, and it is sent again', ['server error'], told(2, 12, true, true)],
  ['two errors of the server, and it is lost', ['server error', 'server error'], told(2, 12, false, false)],
  ['without a connection, it is sent again', [before], told(2, 1_012, true, true)],
  ['without a connection for longer, it is lost', [before, before], told(2, 2_012, false, false)],
  ['an answer that never comes, and nobody knows that it is written', [after], told(1, 5_000, true, false)],
  ['broken before it arrives, it is sent again', [{ reset: 'before' }], told(2, 12, true, true)],
  ['broken after it arrived, it is sent again', [{ reset: 'after the effect' }], told(2, 12, true, true)],
  [
    'arrived, then unreachable, and nobody knows that it is written',
    [{ reset: 'after the effect' }, 'unreachable'],
    told(2, 12, true, false),
  ],
];

test.each(rows)('%s', async (_name, faults, expected) => {
  const { store, table, inTime, labels } = openStore(faults);
  const { milliseconds } = await inTime(() => store.schedule(aLook()));
  expect({
    sent: labels.length,
    milliseconds,
    isWritten: table.items().length > 0,
    isAvailable: store.isAvailable(),
  }).toEqual(expected);
  expect(table.defects()).toEqual([]);
});

test('what arrives late takes its effect when nobody waits for it any more', async () => {
  const late = Promise.withResolvers<void>();
  const { store, table, inTime, labels } = openStore([{ timeout: 'late effect' }], (label) =>
    label.endsWith('late') ? late.promise : Promise.resolve(),
  );
  expect(await inTime(() => store.schedule(aLook()))).toEqual({ answer: true, milliseconds: 5_000 });
  expect(labels).toEqual(['store UpdateItem machine#uid-1 due', 'store UpdateItem machine#uid-1 due, late']);
  expect(store.isAvailable()).toBe(false);
  expect(table.items()).toEqual([]);
  late.resolve();
  await late.promise;
  expect(table.items()).toMatchObject([{ dueAt: { N: String(start) } }]);
});

test('a call that its turn comes too late for is never sent', async () => {
  const turn = Promise.withResolvers<void>();
  const { store, table, inTime, asked, lines } = openStore([], () => turn.promise);
  expect((await inTime(() => store.schedule(aLook()))).milliseconds).toBe(5_000);
  turn.resolve();
  await turn.promise;
  expect(asked).toEqual([]);
  expect(table.items()).toEqual([]);
  expect(lines[0]).toContain('DynamoDB table phaseout: no answer within 5000 ms');
});

test('a call that is given up leaves no timer behind', async () => {
  const { clock, store, inTime } = openStore([before, before]);
  await inTime(() => store.schedule(aLook()));
  await clock.passUntil(Infinity, () => false);
  expect(clock.now() - start).toBe(2_012);
});

const failures: [fault: StoreFault, line: string][] = [
  ['unreachable', 'TimeoutError: connect ECONNREFUSED 127.0.0.1:8000'],
  ['throttled', 'ProvisionedThroughputExceededException: The level of configured'],
  ['server error', 'InternalServerError: Internal server error'],
  [{ reset: 'before' }, 'TimeoutError: socket hang up'],
];
test.each(failures)('%j is told as the SDK tells it', async (fault, line) => {
  const { store, inTime, lines } = openStore([fault, fault]);
  await inTime(() => store.schedule(aLook()));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`The store does not answer: DynamoDB table phaseout: ${line}`);
});

test('each call tells what it is', async () => {
  const { dynamo, asked } = openStore([]);
  await dynamo.unschedule('uid-1');
  await dynamo.unschedule('uid-1', { at: start });
  await dynamo.podRecords('uid-1');
  await dynamo.due(start, 1);
  expect(asked.slice(0, 4)).toEqual([
    { name: 'DeleteItem', isConditional: false, isIndexQuery: false, mayBeStale: false },
    { name: 'DeleteItem', isConditional: true, isIndexQuery: false, mayBeStale: false },
    { name: 'Query', isConditional: false, isIndexQuery: false, mayBeStale: false },
    { name: 'Query', isConditional: false, isIndexQuery: true, mayBeStale: true },
  ]);
  expect(asked).toHaveLength(3 + 16);
});
