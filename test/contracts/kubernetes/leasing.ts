import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { leases } from '../../../shared/kubernetes/resources.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { takeLease } from '../../../shared/write/lease.ts';
import { clockOf } from '../../builders/clock.ts';
import { type Given, namespace } from './under-test.ts';

/** What mutual exclusion rests on. */
export function leasing(given: Given): void {
  const at = { now: 0 };
  const env = { log: silent, clock: clockOf(() => at.now) };
  const take = (name: string, holder = 'a/m-1') =>
    takeLease(env, given().kubernetes, { namespace, name, holder });
  const read = (name: string): Promise<KubeObject | undefined> =>
    given().kubernetes.get(leases, { namespace, name });

  describe('a Lease', () => {
    test('is had by one at a time', async () => {
      at.now = Date.now();
      const lease = await take('one');
      expect(lease?.isHeld()).toBe(true);
      expect(await take('one', 'b/m-2')).toBeUndefined();
      expect(await read('one')).toMatchObject({
        spec: { holderIdentity: 'a/m-1', leaseDurationSeconds: 60 },
      });
      await lease?.release();
      expect(await read('one')).toBeUndefined();
      expect(await take('one', 'b/m-2')).toBeDefined();
    });

    test('is good for what is begun within twenty seconds', async () => {
      at.now = Date.now();
      const lease = await take('short');
      at.now += 19_999;
      expect(lease?.isHeld()).toBe(true);
      at.now += 1;
      expect(lease?.isHeld()).toBe(false);
    });

    test("is anybody's when it has expired, and then not to be released by who had it", async () => {
      at.now = Date.now();
      const former = await take('old');
      at.now += 50_000;
      expect(await take('old', 'b/m-2')).toBeUndefined();
      at.now += 15_000;
      expect(await take('old', 'b/m-2')).toBeDefined();
      await former?.release();
      expect(await read('old')).toMatchObject({ spec: { holderIdentity: 'b/m-2' } });
    });

    test('in a namespace that is not there is refused', async () => {
      const wanted = { namespace: 'no-such-namespace', name: 'lease', holder: 'a' };
      await expect(takeLease(env, given().kubernetes, wanted)).rejects.toThrow(
        'Lease no-such-namespace/lease could not be taken: namespaces "no-such-namespace" not found',
      );
    });
  });
}
