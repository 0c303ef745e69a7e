import * as z from 'zod';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';

/** A token for anything else is of no use here, and one for here is of no use elsewhere. */
const audience = 'phaseout-page';

const reviews = { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' };

const userSchema = z.object({
  username: z.string().min(1),
  uid: z.string().optional(),
  groups: z.array(z.string()).optional(),
  extra: z.record(z.string(), z.array(z.string())).optional(),
});

/** The user whom the API server names for a token. */
export type User = z.infer<typeof userSchema>;

const answer = z.object({
  status: z.object({
    authenticated: z.boolean().default(false),
    audiences: z.array(z.string()).default([]),
    user: userSchema.optional().catch(undefined),
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
