import type { Api } from '../objects/api.ts';
import { parse } from '../server/body.ts';
import { ok } from '../server/exchange.ts';
import type { ApiRequest, ApiResponse } from '../server/request.ts';
import { orRefusal, unauthorized } from '../server/respond.ts';
import { answerAccessReview } from './access-reviews.ts';
import { aggregateRoles } from './aggregate-roles.ts';
import { type Attributes, attributesOf, type ResourceAttributes } from './attributes.ts';
import { type AuditEntry, entryOf } from './audit.ts';
import { type Authentication, createAuthentication } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { forbidden } from './forbidden.ts';
import { answerIdentityReview } from './identity-reviews.ts';
import { impersonated } from './impersonate.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { answerTokenRequest, isTokenRequest } from './token-request.ts';
import type { User } from './user.ts';

export interface AccessOptions {
  /** By their bearer tokens; ServiceAccounts get theirs by TokenRequest. */
  users: Readonly<Record<string, User>>;
  /** Told of every request when it was answered. */
  audit?: (entry: AuditEntry) => void;
}

type Respond = (request: ApiRequest) => ApiResponse;

/** Who may ask what: authentication, RBAC and audit, around what answers. */
export function withAccess(api: Api, { users, audit }: AccessOptions, respond: Respond): Respond {
  const tokens = new ServiceAccountTokens(api);
  const authentication = createAuthentication(users, tokens);
  aggregateRoles(api);

  return (request) => {
    const attributes = attributesOf(request);
    const bearer = authentication.userOf(request);
    if (bearer === undefined) {
      audit?.(entryOf('', attributes, { decision: 'forbid', code: 401 }));
      return unauthorized();
    }
    let user = bearer;
    let decision: AuditEntry['decision'] = 'forbid';
    const response = orRefusal(() => {
      user = impersonated(api, bearer, request, attributes);
      refuseForbidden(api, user, attributes);
      decision = 'allow';
      return own({ api, authentication, tokens }, user, attributes, request) ?? respond({ ...request, user });
    });
    audit?.(entryOf(user.name, attributes, { decision, code: response.status }));
    return response;
  };
}

function refuseForbidden(api: Api, user: User, attributes: Attributes): void {
  const { allowed, reason } = authorize(api, user, attributes);
  if (!allowed) throw forbidden(user.name, attributes, reason);
}

interface Parts {
  api: Api;
  authentication: Authentication;
  tokens: ServiceAccountTokens;
}

/** What is asked of access itself. Throws ApiError. */
function own(parts: Parts, user: User, attributes: Attributes, request: ApiRequest): ApiResponse | undefined {
  if (attributes.kind === 'path' || attributes.verb !== 'create') return undefined;
  const answer = reviewed(parts, user, attributes, request);
  if (answer === undefined) return undefined;
  return { ...ok(JSON.stringify(answer)), status: 201 };
}

function reviewed(
  { api, authentication, tokens }: Parts,
  asker: User,
  attributes: ResourceAttributes,
  request: ApiRequest,
): object | undefined {
  const { group, resource } = attributes;
  if (isTokenRequest(attributes)) return answerTokenRequest(api, tokens, attributes, request);
  if (group === 'authorization.k8s.io') return answerAccessReview(api, resource, asker, bodyOf(request));
  if (group !== 'authentication.k8s.io') return undefined;
  return answerIdentityReview(api, authentication, resource, { asker, body: bodyOf(request) });
}

const bodyOf = ({ body }: ApiRequest): unknown => parse(body ?? '');
