import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EvictionRecord } from '../../../shared/drain/pod-record.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import { aMachine, type Subject } from './subject.ts';

const anInstant = fc.integer({ min: 0, max: 2_000_000_000_000 });

const aRandomRefusal = fc.record(
  {
    cause: fc.constantFrom('BudgetExhausted' as const, 'Throttled' as const, 'Failed' as const),
    text: fc.string(),
    budget: fc.string(),
  },
  { requiredKeys: ['cause', 'text'] },
);

const anAttempt: fc.Arbitrary<EvictionRecord> = fc.record(
  {
    podUid: fc.constantFrom('pod-1', 'pod-2'),
    namespace: fc.constant('shop'),
    name: fc.constantFrom('cart-0', 'cart-1'),
    at: anInstant,
    outcome: fc.constantFrom('accepted' as const, 'gone' as const, 'refused' as const),
    refusal: aRandomRefusal,
    notBefore: anInstant,
    lasting: fc.record({
      cause: fc.constantFrom('BudgetExhausted' as const, 'MultipleBudgets' as const),
      since: anInstant,
    }),
  },
  { requiredKeys: ['podUid', 'namespace', 'name', 'at', 'outcome'] },
);

/** The counting is written twice, once as a function and once as DynamoDB's update: they must agree. */
export function testAnyAttempts(subject: Subject): void {
  test('any attempts in any order leave the record that the store in memory has', async () => {
    const property = fc.asyncProperty(fc.array(anAttempt, { maxLength: 8 }), async (attempts) => {
      const machine = aMachine();
      const memory = createMemoryStore(subject.clock);
      await memory.recordEvictions(machine, attempts);
      await subject.store.recordEvictions(machine, attempts);
      expect(await subject.store.podRecords(machine.uid)).toEqual(await memory.podRecords(machine.uid));
    });
    await fc.assert(property, { numRuns: 40 });
  });
}
