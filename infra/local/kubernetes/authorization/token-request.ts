import { type Api, timestamp } from '../objects/api.ts';
import { failure, invalid, invalidValue, notFound } from '../objects/status.ts';
import { jsonBody } from '../server/body.ts';
import { at, numberAt, textsOf } from '../server/json.ts';
import type { ApiRequest } from '../server/request.ts';
import type { ResourceAttributes } from './attributes.ts';
import { defaultAudience, type ServiceAccountTokens } from './service-account-tokens.ts';

const minSeconds = 600;
const usualSeconds = 3_600;

export const isTokenRequest = ({ verb, group, resource, subresource }: ResourceAttributes): boolean =>
  verb === 'create' && group === '' && resource === 'serviceaccounts' && subresource === 'token';

/** POST serviceaccounts/NAME/token: the TokenRequest with a token. Throws ApiError. */
export function answerTokenRequest(
  api: Api,
  tokens: ServiceAccountTokens,
  { namespace, name }: ResourceAttributes,
  request: ApiRequest,
): object {
  const account = api.store.get('serviceaccounts', namespace, name);
  if (account === undefined)
    throw notFound({ group: '', plural: 'serviceaccounts', kind: 'ServiceAccount' }, name);
  const { uid = '' } = account.metadata;
  const body = jsonBody(request);
  const expirationSeconds = numberAt(body, 'spec', 'expirationSeconds') ?? usualSeconds;
  refuseShort(expirationSeconds);
  if (at(body, 'spec', 'boundObjectRef'))
    throw failure(501, 'NotImplemented', 'tokens are bound to no object here');
  const audiences = textsOf(at(body, 'spec', 'audiences'));
  const spec = {
    audiences: audiences.length === 0 ? [defaultAudience] : audiences,
    expirationSeconds,
    boundObjectRef: null,
  };
  const status = tokens.issue({ namespace, name, uid, expirationSeconds, audiences: spec.audiences });
  const metadata = { name, namespace, uid, creationTimestamp: timestamp(api.clock.now()) };
  return { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', metadata, spec, status };
}

function refuseShort(seconds: number): void {
  if (seconds >= minSeconds) return;
  throw invalid('authentication.k8s.io', 'TokenRequest', '', [
    invalidValue('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes'),
  ]);
}
