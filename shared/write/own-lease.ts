import type { Key } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { leases } from '../kubernetes/resources.ts';
import type { Environment } from '../runtime/environment.ts';
import { microTime } from '../time/clock.ts';

/** After this time without a renewal the hook watchdog takes our hooks off. */
const leaseSeconds = 30 * 60;

/**
 * Renews the Lease that shows that this installation lives. The Lease comes with the manifests. Never throws. Half an
 * hour without a renewal takes our hooks off, and they are meant to go then.
 */
export async function renewOwnLease(env: Environment, key: Key): Promise<void> {
  const time = microTime(env.clock.now());
  const spec = { holderIdentity: env.instance, leaseDurationSeconds: leaseSeconds, renewTime: time };
  try {
    const outcome = await env.management.mergePatch(leases, key, { spec });
    if (outcome.kind === 'written') return;
    const why = outcome.kind === 'gone' ? 'it is not there' : outcome.message;
    env.log.warn('Lease of this installation could not be renewed', { why });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    env.log.warn('Lease of this installation could not be renewed', { why: error.message });
  }
}
