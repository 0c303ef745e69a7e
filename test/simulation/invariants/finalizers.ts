import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Invariant } from './invariant.ts';
import { judgingRequests } from './sight/judging.ts';
import { finalizerOf } from './sight/machine.ts';
import { witnessOf } from './sight/witness.ts';

/** Kubernetes' own, which v1alpha1 adds and which it takes off by itself. */
const foreground = 'foregroundDeletion';

export const finalizersOfOthers: Invariant = {
  name: 'a finalizer of somebody else is never touched',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judgingRequests(
      witness,
      ({ plan, object, exchange }) => {
        if (plan === undefined || object === undefined) return undefined;
        const { finalizers = [] } = object.metadata;
        const own = [finalizerOf[plan.api], ...(plan.api === 'v1alpha1' ? [foreground] : [])];
        const after = finalizersAfter(exchange.body, finalizers);
        const isOurs = (finalizer: string): boolean => own.includes(finalizer);
        const version = textAt(exchange.body, 'metadata', 'resourceVersion');
        // The server refuses what was made from an older one.
        if (version !== undefined && version !== object.metadata.resourceVersion) return undefined;
        const others = finalizers.filter((each) => !isOurs(each));
        const left = after.filter((each) => !isOurs(each));
        const isKept = others.join() === left.join();
        return isKept ? undefined : `those of others were ${wordsOf(others)}, and are then ${wordsOf(left)}`;
      },
      violated,
    );
  },
};

const wordsOf = (finalizers: readonly string[]): string => finalizers.join(', ') || 'none';

const leavesFinalizers = ['/metadata/annotations', '/spec/', '/status/'];

/** What a merge patch or a JSON patch makes of them. A JSON patch whose tests fail changes nothing. */
function finalizersAfter(body: unknown, before: readonly string[]): readonly string[] {
  if (!Array.isArray(body)) {
    const written = recordAt(body, 'metadata')['finalizers'];
    if (written === null) return [];
    return Array.isArray(written) ? written.map(String) : before;
  }
  const operations: readonly unknown[] = body;
  const after = [...before];
  for (const operation of operations) {
    const path = textAt(operation, 'path') ?? '';
    const index = /^\/metadata\/finalizers\/(\d+)$/.exec(path)?.[1];
    const op = textAt(operation, 'op');
    if (op === 'test' && index !== undefined && after[Number(index)] !== recordAt(operation)['value'])
      return before;
    if (op === 'remove' && index !== undefined) after.splice(Number(index), 1);
    else if (op !== 'test' && !leavesFinalizers.some((place) => path.startsWith(place))) return [];
  }
  return after;
}
