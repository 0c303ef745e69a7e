import { type Api, newUid, timestamp } from '../objects/api.ts';
import { failure, invalid, invalidValue, notFound } from '../objects/status.ts';
import { jsonBody } from '../server/body.ts';
import { at, numberAt, textsOf } from '../server/json.ts';
import type { ApiRequest } from '../server/request.ts';
import type { ResourceAttributes } from './attributes.ts';
import { anonymous, known, serviceAccountGroups, serviceAccountName, type User } from './user.ts';

export const defaultAudience = 'https://kubernetes.default.svc';

interface Issued extends Omit<TokenWish, 'expirationSeconds'> {
  id: string;
  expiresAt: number;
}

export interface TokenWish {
  namespace: string;
  name: string;
  uid: string;
  expirationSeconds: number;
  audiences: readonly string[];
}

/** Tokens of ServiceAccounts: they look like the real ones, but what they mean is known here only. */
export class ServiceAccountTokens {
  readonly #api: Api;
  readonly #issued = new Map<string, Issued>();

  constructor(api: Api) {
    this.#api = api;
  }

  issue({ expirationSeconds, ...wish }: TokenWish): { token: string; expirationTimestamp: string } {
    const { clock, random } = this.#api;
    const issued = { ...wish, id: newUid(random), expiresAt: clock.now() + expirationSeconds * 1_000 };
    const token = written(issued);
    this.#issued.set(token, issued);
    return { token, expirationTimestamp: timestamp(issued.expiresAt) };
  }

  /** Undefined once it has expired or the ServiceAccount it was made for is gone. */
  userOf(token: string): (User & { audiences: readonly string[] }) | undefined {
    const issued = this.#issued.get(token);
    if (issued === undefined || issued.expiresAt <= this.#api.clock.now()) return undefined;
    const { namespace, name, uid, audiences } = issued;
    const account = this.#api.store.get('serviceaccounts', namespace, name);
    if (account?.metadata.uid !== uid) return undefined;
    return {
      name: serviceAccountName(namespace, name),
      uid,
      groups: serviceAccountGroups(namespace),
      extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${issued.id}`] },
      audiences,
    };
  }
}

/** Three parts with dots, as clients expect of a JWT. It is not signed. */
function written({ namespace, name, uid, id, expiresAt, audiences }: Issued): string {
  const claims = {
    aud: audiences,
    exp: Math.floor(expiresAt / 1_000),
    iss: defaultAudience,
    jti: id,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    sub: serviceAccountName(namespace, name),
  };
  const parts = [{ alg: 'RS256', typ: 'JWT' }, claims, { of: id }];
  return parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

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

export interface Authentication {
  /** Undefined if the bearer token is unknown: 401. */
  userOf(request: ApiRequest): User | undefined;
  /** Undefined for an unknown token. */
  bearerOf(token: string): User | undefined;
}

/** By bearer token alone. A request without one is anonymous. */
export function createAuthentication(
  users: Readonly<Record<string, User>>,
  tokens: ServiceAccountTokens,
): Authentication {
  const bearerOf = (token: string): User | undefined => {
    const user = Object.hasOwn(users, token) ? users[token] : tokens.userOf(token);
    return user === undefined ? undefined : known(user);
  };
  return {
    bearerOf,
    userOf({ headers }) {
      const token = /^Bearer +(\S+)$/i.exec(headers?.['authorization'] ?? '')?.[1];
      return token === undefined ? anonymous : bearerOf(token);
    },
  };
}
