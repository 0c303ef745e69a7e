/** Who a request comes from. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Its members may do everything. */
export const masters = 'system:masters';

/** Every authenticated user is a member, and no other. */
export const authenticated = 'system:authenticated';

/** Every user without a valid token is a member. */
export const unauthenticated = 'system:unauthenticated';

export const anonymous: User = { name: 'system:anonymous', groups: [unauthenticated] };

/** An authenticated user. */
export const known = ({ groups, ...user }: User): User => ({
  ...user,
  groups: [...new Set([...groups, authenticated])],
});

export const serviceAccountName = (namespace: string, name: string): string =>
  `system:serviceaccount:${namespace}:${name}`;

export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

/** The API server itself, and the code in its process. */
export const itself: User = { name: 'system:apiserver', groups: [masters, authenticated] };

/** As reviews and admission policies see a user. */
export const userInfo = ({ name, uid, groups, extra }: User) => ({
  username: name,
  ...(uid !== undefined && { uid }),
  groups,
  ...(extra !== undefined && { extra }),
});
