import { type Api, newUid, timestamp } from '../objects/api.ts';
import { serviceAccountGroups, serviceAccountName, type User } from './user.ts';

export const defaultAudience = 'https://kubernetes.default.svc';

interface Issued {
  namespace: string;
  name: string;
  uid: string;
  id: string;
  expiresAt: number;
  audiences: readonly string[];
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
