import { expect, test } from 'vitest';
import type { Invariant } from '../invariants/invariant.ts';
import { noErrorsLogged } from '../invariants/no-mistakes-of-ours.ts';
import { type SimulationOptions, simulate } from '../simulate.ts';
import { withDeployments } from './play.ts';
import { podsDeletedByPolicy } from './pods-deleted-by-policy.ts';
import { restartedFor } from './restarts.ts';
import { planWithDeletes } from './with-deletes.ts';

const first = Number(process.env['SEED'] ?? 1);
const count = Number(process.env['SEEDS'] ?? 12);

interface Played {
  violations: string[];
  restarts: number;
  deletes: number;
}

/** Seeds one after the other, with what was done about Pods that were not let go. */
async function play(seeds: number, options: SimulationOptions): Promise<Played> {
  const played: Played = { violations: [], restarts: 0, deletes: 0 };
  const counted: Invariant = {
    name: 'what is done is counted',
    watch: () => ({
      after(exchange, { code }) {
        const { instance, verb, resource } = exchange;
        if (code >= 300 || !instance.startsWith('instance')) return;
        if (restartedFor(exchange) !== undefined) played.restarts += 1;
        if (verb === 'delete' && resource === 'pods') played.deletes += 1;
      },
    }),
  };
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { violations } = await simulate(seed, {
      ...options,
      invariants: [...(options.invariants ?? []), counted],
    });
    played.violations.push(...violations.map((each) => `seed ${seed}: ${each}`));
  }
  return played;
}

test.each(['some', 'all'] as const)(
  'with faults no Pod is deleted that no policy names, beside own controllers in %s worlds',
  async (beside) => {
    const { violations, deletes } = await play(count, {
      beside,
      scenario: planWithDeletes,
      invariants: [podsDeletedByPolicy, noErrorsLogged],
    });
    expect(violations).toEqual([]);
    expect(deletes).toBeGreaterThan(0);
  },
  600_000,
);

test.each(['some', 'all'] as const)(
  'with faults Deployments are restarted once and without a gap, beside own controllers in %s worlds',
  async (beside) => {
    const { violations, restarts } = await play(4 * count, withDeployments(beside));
    expect(violations).toEqual([]);
    expect(restarts).toBeGreaterThan(0);
  },
  600_000,
);
