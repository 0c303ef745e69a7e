import { expect, test } from 'vitest';
import type { Invariant } from '../invariants/invariant.ts';
import { noErrorsLogged } from '../invariants/no-mistakes-of-ours.ts';
import { simulate } from '../simulate.ts';
import { podsDeletedByPolicy } from './pods-deleted-by-policy.ts';
import { planWithDeletes } from './with-deletes.ts';

const first = Number(process.env['SEED'] ?? 1);
const count = Number(process.env['SEEDS'] ?? 12);

test.each(['some', 'all'] as const)(
  'with faults no Pod is deleted that no policy names, beside own controllers in %s worlds',
  async (beside) => {
    const found: string[] = [];
    let deletes = 0;
    const counted: Invariant = {
      name: 'deletes are counted',
      watch: () => ({
        after({ instance, verb, resource }, { code }) {
          if (instance.startsWith('instance') && verb === 'delete' && resource === 'pods' && code < 300)
            deletes += 1;
        },
      }),
    };
    for (let seed = first; seed < first + count; seed += 1) {
      const { violations } = await simulate(seed, {
        beside,
        scenario: planWithDeletes,
        invariants: [podsDeletedByPolicy, noErrorsLogged, counted],
      });
      found.push(...violations.map((each) => `seed ${seed}: ${each}`));
    }
    expect(found).toEqual([]);
    expect(deletes).toBeGreaterThan(0);
  },
  600_000,
);
