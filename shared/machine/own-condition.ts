import * as z from 'zod';
import type { Condition, KubeObject } from '../kubernetes/objects.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';

/** What a condition of an object of ours says. */
export type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

const known = z.object({
  conditions: z.array(z.object({ type: z.string(), status: z.string(), lastTransitionTime: z.string() })),
});

/** A condition of an object of ours. Its time moves with its status alone. */
export function ownCondition(
  { metadata, status }: KubeObject,
  type: string,
  verdict: Verdict,
  now: Instant,
): Condition {
  const before = known.safeParse(status).data?.conditions.find((each) => each.type === type);
  const { generation } = metadata;
  return {
    type,
    ...verdict,
    lastTransitionTime: before?.status === verdict.status ? before.lastTransitionTime : rfc3339Seconds(now),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}
