import type { ApiRequest } from '../server/request.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';
import { anonymous, known, type User } from './user.ts';

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
