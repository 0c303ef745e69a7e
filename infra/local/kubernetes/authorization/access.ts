import type { Api } from '../objects/api.ts';
import { parse } from '../server/body.ts';
import { type ApiRequest, type ApiResponse, ok } from '../server/request.ts';
import { orRefusal, unauthorized } from '../server/respond.ts';
import { answerAccessReview, answerIdentityReview } from './access-reviews.ts';
import { type Attributes, attributesOf, forbidden, type ResourceAttributes } from './attributes.ts';
import { authorize } from './authorize.ts';
import { aggregateRoles } from './default-roles.ts';
import {
  type Authentication,
  answerTokenRequest,
  createAuthentication,
  isTokenRequest,
  ServiceAccountTokens,
} from './service-account-tokens.ts';
import { known, type User } from './user.ts';

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
  return answer && ok(JSON.stringify(answer), 201);
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

/**
 * The user that the request impersonates; the same user if it names no other. Groups come from the
 * request or are those of everybody. Throws ApiError 403 if the caller may not impersonate that user.
 */
function impersonated(api: Api, user: User, request: ApiRequest, attributes: Attributes): User {
  const name = request.headers?.['impersonate-user'];
  if (name === undefined) return user;
  const groups = (request.headers?.['impersonate-group'] ?? '').split(', ').filter(Boolean);
  const mayBe = (resource: string, wanted: string): boolean =>
    authorize(api, user, { ...nothing, kind: 'resource', verb: 'impersonate', resource, name: wanted })
      .allowed;
  if (mayBe('users', name) && groups.every((one) => mayBe('groups', one))) return known({ name, groups });
  throw forbidden(user.name, { ...attributes, verb: `impersonate-on:user-info:${attributes.verb}` });
}

/** One request, as an audit log has it: the user, the request and the answer. A request by path has no resource. */
export interface AuditEntry extends Omit<ResourceAttributes, 'kind'> {
  /** Empty for an unknown token. */
  user: string;
  /** Of what is no resource; otherwise empty. */
  path: string;
  /** Whether roles allow it; `allow` also for what was then refused for another reason. */
  decision: 'allow' | 'forbid';
  code: number;
}

const nothing = { group: '', resource: '', subresource: '', namespace: '', name: '', path: '' };

const entryOf = (
  user: string,
  { kind: _kind, ...about }: Attributes,
  answer: Pick<AuditEntry, 'decision' | 'code'>,
): AuditEntry => ({ user, ...nothing, ...about, ...answer });
