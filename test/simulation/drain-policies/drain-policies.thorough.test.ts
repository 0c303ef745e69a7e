import { expect, test } from 'vitest';
import { noErrorsLogged } from '../invariants/no-mistakes-of-ours.ts';
import { simulate } from '../simulate.ts';
import { begunWithinLimits } from './begun-within-limits.ts';
import { planWithPolicies } from './with-policies.ts';

const first = Number(process.env['SEED'] ?? 1);
const count = Number(process.env['SEEDS'] ?? 20);

/** What seeds have violated, with all that goes wrong in them. */
async function violationsOf(beside: 'some' | 'all'): Promise<string[]> {
  const found: string[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const { violations } = await simulate(seed, {
      beside,
      scenario: planWithPolicies,
      invariants: [begunWithinLimits, noErrorsLogged],
    });
    found.push(...violations.map((each) => `seed ${seed}: ${each}`));
  }
  return found;
}

test.each(['some', 'all'] as const)(
  'with DrainPolicies and faults no more begin at once than may, beside own controllers in %s worlds',
  async (beside) => {
    expect(await violationsOf(beside)).toEqual([]);
  },
  600_000,
);
