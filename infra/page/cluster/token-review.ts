import * as z from 'zod';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';

/** Who a token is of, as the API server says it. */
export interface User {
  username: string;
  uid?: string | undefined;
  groups?: string[] | undefined;
  extra?: Record<string, string[]> | undefined;
}

/** A token for anything else is of no use here, and one for here is of no use elsewhere. */
const audience = 'phaseout-page';

const reviews = { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' };

const answer = z.object({
  status: z.object({
    authenticated: z.boolean().default(false),
    audiences: z.array(z.string()).default([]),
    user: z
      .object({
        username: z.string().min(1),
        uid: z.string().optional(),
        groups: z.array(z.string()).optional(),
        extra: z.record(z.string(), z.array(z.string())).optional(),
      })
      .optional()
      .catch(undefined),
  }),
});

/** Undefined where the token is no good, or for another audience. Throws Unavailable. */
export async function userOf(
  token: string,
  kubernetes: Pick<Kubernetes, 'create'>,
): Promise<User | undefined> {
  const outcome = await kubernetes.create(reviews, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: { name: '' },
    spec: { token, audiences: [audience] },
  });
  if (outcome.kind !== 'written') return undefined;
  const { data } = answer.safeParse(outcome.object);
  const isFor = data?.status.authenticated === true && data.status.audiences.includes(audience);
  return isFor ? data.status.user : undefined;
}
