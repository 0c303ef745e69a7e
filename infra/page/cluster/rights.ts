import * as z from 'zod';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { Clock, Stopwatch } from '../../../shared/time/clock.ts';
import type { User } from './token-review.ts';

/** What somebody wants to see. */
export interface Wanted {
  verb: 'get' | 'list';
  group: string;
  resource: string;
  /** All namespaces where it is missing. */
  namespace?: string;
  name?: string;
}

export type May = (wanted: Wanted) => Promise<boolean>;

const reviews = { group: 'authorization.k8s.io', version: 'v1', plural: 'subjectaccessreviews' };
const answer = z.object({ status: z.object({ allowed: z.boolean() }) });

/** A right that is taken away is gone here after so long. */
const keptMilliseconds = 30_000;

/** Asks the API server what the user may do. What cannot be asked is not allowed. */
export function rightsOf(
  { username, ...user }: User,
  kubernetes: Pick<Kubernetes, 'create'>,
  clock: Pick<Clock, 'stopwatch'>,
): May {
  const known = new Map<string, { age: Stopwatch; allowed: Promise<boolean> }>();
  const ask = async (resourceAttributes: Wanted): Promise<boolean> => {
    const outcome = await kubernetes.create(reviews, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: { name: '' },
      spec: { user: username, ...user, resourceAttributes },
    });
    return outcome.kind === 'written' && answer.safeParse(outcome.object).data?.status.allowed === true;
  };
  return (wanted) => {
    const key = JSON.stringify(wanted);
    const before = known.get(key);
    if (before !== undefined && before.age() < keptMilliseconds) return before.allowed;
    const allowed = ask(wanted).catch(() => false);
    known.set(key, { age: clock.stopwatch(), allowed });
    return allowed;
  };
}
