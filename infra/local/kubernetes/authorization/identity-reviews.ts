import { type Api, timestamp } from '../objects/api.ts';
import { at, objectOf, textAt } from '../server/json.ts';
import type { Authentication } from './authenticate.ts';
import { defaultAudience } from './service-account-tokens.ts';
import { type User, userInfo } from './user.ts';

const apiVersion = 'authentication.k8s.io/v1';

/** The identity of a user: of the request, or of a token. */
export function answerIdentityReview(
  api: Api,
  authentication: Authentication,
  resource: string,
  { asker, body }: { asker: User; body: unknown },
): object | undefined {
  if (resource === 'selfsubjectreviews') {
    const metadata = { creationTimestamp: timestamp(api.clock.now()) };
    return { kind: 'SelfSubjectReview', apiVersion, metadata, status: { userInfo: userInfo(asker) } };
  }
  if (resource !== 'tokenreviews') return undefined;
  const spec = objectOf(at(body, 'spec'));
  const user = authentication.bearerOf(textAt(spec, 'token'));
  const status =
    user === undefined
      ? { user: {}, error: 'invalid bearer token' }
      : { authenticated: true, user: userInfo(user), audiences: [defaultAudience] };
  return { kind: 'TokenReview', apiVersion, metadata: {}, spec, status };
}
