import { type Asked, cookieIn } from './http.ts';
import { isSecret } from './secret.ts';

/** What a page that listens on loopback lets in. */
export interface Door {
  port: number;
  /** In the address that the terminal shows. */
  token: string;
  /** What the token is exchanged for. */
  session: string;
  /** Cookies do not know ports: a server of another user, on another port, gets the cookie. It does not get this one. */
  key: string;
}

export interface Refused {
  kind: 'refused';
  status: 401 | 403 | 405;
  why: string;
}

export type Verdict =
  | Refused
  /** The bare page: it holds nothing of a cluster. */
  | { kind: 'page' }
  /** The token was right. */
  | { kind: 'exchange' }
  | { kind: 'data' };

/** Under it is all that holds anything of a cluster. */
const dataPath = '/api/';
const exchangePath = '/session';

/** Whether a request is answered. Only a browser that was given the address of the terminal sees anything of a cluster. */
export function judge(asked: Asked, door: Door): Verdict {
  const { method, path } = asked;
  if (method !== 'GET' && method !== 'HEAD') return refused(405, 'only GET and HEAD are answered');
  // A name of another site that leads to this address: its pages must not read here.
  if (!hostsOf(door).includes(asked.host ?? ''))
    return refused(403, 'the Host is not the address of this page');
  if (path === exchangePath) return foreigner(asked) ?? exchange(asked, door);
  if (path.startsWith(dataPath)) return foreigner(asked) ?? data(asked, door);
  return { kind: 'page' };
}

export const refused = (status: Refused['status'], why: string): Refused => ({
  kind: 'refused',
  status,
  why,
});

const hostsOf = ({ port }: Door): string[] => [`127.0.0.1:${port}`, `localhost:${port}`];

/** Another site, or another port of this host. */
export function foreigner(
  { origin, site, host = '' }: Asked,
  schemes: readonly string[] = ['http'],
): Refused | undefined {
  if (origin !== undefined && !schemes.some((scheme) => origin === `${scheme}://${host}`))
    return refused(403, 'the Origin is another one');
  return site === undefined || site === 'same-origin' ? undefined : refused(403, 'another site asks');
}

function exchange({ authorization }: Asked, { token }: Door): Verdict {
  const given = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  return isSecret(given, token)
    ? { kind: 'exchange' }
    : refused(401, 'the token is not the one of this page');
}

function data({ cookie, key }: Asked, door: Door): Verdict {
  const isKnown = isSecret(cookieIn(cookie, cookieName(door)), door.session) && isSecret(key, door.key);
  return isKnown
    ? { kind: 'data' }
    : refused(401, 'there is no session: open the address that the terminal shows');
}

/** Several pages of one host keep theirs apart. */
const cookieName = ({ port }: Pick<Door, 'port'>): string => `phaseout-page-${port}`;

/** No script reads it, and no other site sends it. */
export const setCookie = (door: Door): string =>
  `${cookieName(door)}=${door.session}; Path=/; HttpOnly; SameSite=Strict`;
