import type { ApiRequest } from '../server/request.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';
import { anonymous, known, type User } from './user.ts';

export interface Authentication {
  /** Undefined when the request has a bearer token that nobody has: 401. */
  userOf(request: ApiRequest): User | undefined;
  /** Undefined for a token that nobody has. */
  bearerOf(token: string): User | undefined;
}

/** By bearer token alone: whoever shows nothing else, or something else, is anonymous. */
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
