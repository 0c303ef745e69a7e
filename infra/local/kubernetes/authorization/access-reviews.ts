import { type Api, timestamp } from '../objects/api.ts';
import { invalid, invalidValue } from '../objects/status.ts';
import { at, objectOf, textAt, textsOf } from '../server/json.ts';

import type { Attributes } from './attributes.ts';
import { authorize, type Judgement, rulesFor } from './authorize.ts';
import { type Authentication, defaultAudience } from './service-account-tokens.ts';
import { type User, userInfo } from './user.ts';

const group = 'authorization.k8s.io';
const apiVersion = `${group}/v1`;

/** Whether a user may do something: the user of the request, or the named one. Throws ApiError 422. */
export function answerAccessReview(
  api: Api,
  resource: string,
  asker: User,
  body: unknown,
): object | undefined {
  const spec = objectOf(at(body, 'spec'));
  if (resource === 'selfsubjectrulesreviews') return rulesReview(api, asker, spec);
  const kind = kinds.get(resource);
  if (kind === undefined) return undefined;
  const about = resource === 'selfsubjectaccessreviews' ? asker : userIn(spec);
  const status = statusOf(authorize(api, about, attributesIn(spec)));
  return { kind, apiVersion, metadata: {}, spec, status };
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['selfsubjectaccessreviews', 'SelfSubjectAccessReview'],
  ['subjectaccessreviews', 'SubjectAccessReview'],
  ['localsubjectaccessreviews', 'LocalSubjectAccessReview'],
]);

const statusOf = ({ allowed, reason }: Judgement) => ({ allowed, ...(reason !== '' && { reason }) });

const userIn = (spec: unknown): User => ({
  name: textAt(spec, 'user'),
  groups: textsOf(at(spec, 'groups')),
});

function attributesIn(spec: unknown): Attributes {
  const [resource, path] = [at(spec, 'resourceAttributes'), at(spec, 'nonResourceAttributes')];
  if ((resource === undefined) === (path === undefined)) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    throw invalid(group, '', '', [invalidValue('spec.resourceAttributes', resource ?? null, why)]);
  }
  if (path !== undefined) return { kind: 'path', verb: textAt(path, 'verb'), path: textAt(path, 'path') };
  return {
    kind: 'resource',
    verb: textAt(resource, 'verb'),
    group: textAt(resource, 'group'),
    resource: textAt(resource, 'resource'),
    subresource: textAt(resource, 'subresource'),
    namespace: textAt(resource, 'namespace'),
    name: textAt(resource, 'name'),
  };
}

function rulesReview(api: Api, asker: User, spec: object): object {
  const rules = rulesFor(api, asker, textAt(spec, 'namespace'));
  const resourceRules = rules
    .filter(({ resources }) => resources.length > 0)
    .map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames.length > 0 && { resourceNames }),
    }));
  const nonResourceRules = rules
    .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
    .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
  const status = { resourceRules, nonResourceRules, incomplete: false };
  return { kind: 'SelfSubjectRulesReview', apiVersion, metadata: {}, spec, status };
}

const identityVersion = 'authentication.k8s.io/v1';

/** The identity of a user: of the request, or of a token. */
export function answerIdentityReview(
  api: Api,
  authentication: Authentication,
  resource: string,
  { asker, body }: { asker: User; body: unknown },
): object | undefined {
  if (resource === 'selfsubjectreviews') {
    const metadata = { creationTimestamp: timestamp(api.clock.now()) };
    return {
      kind: 'SelfSubjectReview',
      apiVersion: identityVersion,
      metadata,
      status: { userInfo: userInfo(asker) },
    };
  }
  if (resource !== 'tokenreviews') return undefined;
  const spec = objectOf(at(body, 'spec'));
  const user = authentication.bearerOf(textAt(spec, 'token'));
  const status =
    user === undefined
      ? { user: {}, error: 'invalid bearer token' }
      : { authenticated: true, user: userInfo(user), audiences: [defaultAudience] };
  return { kind: 'TokenReview', apiVersion: identityVersion, metadata: {}, spec, status };
}
