import * as z from 'zod';
import type { Key, Kubernetes } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { leases } from '../kubernetes/resources.ts';
import type { Environment } from '../runtime/environment.ts';
import { clockToleranceMilliseconds, type Instant, microTime, type Stopwatch } from '../time/clock.ts';

/** After this time anybody may take a Lease whose holder has vanished. */
const leaseSeconds = 60;
/** Nothing begins later than this after the Lease was requested. The rest of its time lets a request end. */
const usableMilliseconds = 20_000;

/** The right to do something that only one instance may do at a time. */
export interface Lease {
  /** Whether enough time is left to begin something under it. */
  isHeld(): boolean;
  /** Never throws: a Lease that could not be released expires. */
  release(): Promise<void>;
}

interface Wanted {
  namespace: string;
  name: string;
  /** For people who look at the Lease. */
  holder: string;
}

type Outside = Pick<Environment, 'clock' | 'log'>;

/**
 * Takes the Lease by creating it; undefined while another holder has it. The Lease is never renewed. Each Lease has a
 * UID of its own, so no holder takes or releases another's. Throws Unavailable if the Lease could not be read, or was
 * refused.
 */
export async function takeLease(env: Outside, api: Kubernetes, wanted: Wanted): Promise<Lease | undefined> {
  const key = { namespace: wanted.namespace, name: wanted.name };
  const age = env.clock.stopwatch();
  const taken = await create(env, api, wanted, age);
  if (taken !== undefined || !(await dropExpired(env, api, key))) return taken;
  return create(env, api, wanted, age);
}

/** Undefined if there is one already. `age`: since it was wanted, as what it rests on was seen before. */
async function create(
  env: Outside,
  api: Kubernetes,
  { holder, ...key }: Wanted,
  age: Stopwatch,
): Promise<Lease | undefined> {
  const time = microTime(env.clock.now());
  const outcome = await api.create(leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: key,
    spec: { holderIdentity: holder, leaseDurationSeconds: leaseSeconds, acquireTime: time, renewTime: time },
  });
  if (outcome.kind === 'refused') {
    throw new Unavailable(`Lease ${key.namespace}/${key.name} could not be taken: ${outcome.message}`);
  }
  if (outcome.kind !== 'written') return undefined;
  const { uid = '' } = outcome.object.metadata;
  return {
    isHeld: () => age() < usableMilliseconds,
    release: () => release(env, api, key, uid),
  };
}

/** Whether the Lease is free now: it was released meanwhile, or its holder has let it expire. */
async function dropExpired(env: Outside, api: Kubernetes, key: Key): Promise<boolean> {
  const known = await api.get(leases, key);
  if (known === undefined) return true;
  const now = env.clock.now();
  if (!(expiryOf(known, now) <= now)) return false;
  const { kind } = await api.delete(leases, key, known.metadata.uid ?? '');
  return kind === 'gone';
}

const leaseSpec = z.object({
  leaseDurationSeconds: z.number().catch(leaseSeconds),
  renewTime: z.string().catch(''),
});

/**
 * Counts from the later time, the holder's or the API server's: either clock may be behind. A time in the future
 * comes from a clock that is ahead, and does not count. NaN if none is left.
 */
function expiryOf({ metadata, spec }: KubeObject, now: Instant): Instant {
  const { leaseDurationSeconds, renewTime } = leaseSpec
    .catch({ leaseDurationSeconds: leaseSeconds, renewTime: '' })
    .parse(spec);
  const times = [renewTime, metadata.creationTimestamp ?? '']
    .map(Date.parse)
    .filter((time) => time - now <= clockToleranceMilliseconds);
  return times.length === 0 ? Number.NaN : Math.max(...times) + leaseDurationSeconds * 1_000;
}

async function release({ log }: Outside, api: Kubernetes, key: Key, uid: string): Promise<void> {
  try {
    await api.delete(leases, key, uid);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn('Lease is left to expire', { lease: key.name, why: error.message });
  }
}
