import { expect, test } from 'vitest';
import { type Door, judge, setCookie } from '../../../infra/page/server/guard.ts';
import type { Asked } from '../../../infra/page/server/http.ts';

const door: Door = { port: 8099, token: 'right-token', session: 'right-session', key: 'right-key' };

const data: Asked = {
  method: 'GET',
  path: '/api/overview',
  host: '127.0.0.1:8099',
  site: 'same-origin',
  cookie: 'other=1; phaseout-page-8099=right-session',
  key: 'right-key',
};
const exchange: Asked = {
  method: 'GET',
  path: '/session',
  host: '127.0.0.1:8099',
  authorization: 'Bearer right-token',
};
const page: Asked = { method: 'GET', path: '/capi/fleet/worker-1', host: '127.0.0.1:8099' };

test.each<[string, Asked, string]>([
  ['data with the session is answered', data, 'data'],
  ['and HEAD too', { ...data, method: 'HEAD' }, 'data'],
  ['also by the name localhost', { ...data, host: 'localhost:8099' }, 'data'],
  ['also with an Origin that is this page', { ...data, origin: 'http://127.0.0.1:8099' }, 'data'],
  ['the right token is exchanged', exchange, 'exchange'],
  ['the bare page needs nothing: it holds nothing of a cluster', page, 'page'],
  ['and a link on another site may lead to it', { ...page, site: 'cross-site' }, 'page'],
])('%s', (_name, asked, kind) => {
  expect(judge(asked, door).kind).toBe(kind);
});

test.each<[string, Asked, number, string]>([
  ['another method', { ...data, method: 'POST' }, 405, 'only GET and HEAD are answered'],
  ['another method for the bare page', { ...page, method: 'OPTIONS' }, 405, 'only GET and HEAD are answered'],
  [
    'a foreign Host, as a rebound name has it',
    { ...data, host: 'evil.example:8099' },
    403,
    'the Host is not the address of this page',
  ],
  [
    'a foreign Host for the bare page',
    { ...page, host: 'evil.example:8099' },
    403,
    'the Host is not the address of this page',
  ],
  ['no Host', { ...page, host: undefined }, 403, 'the Host is not the address of this page'],
  ['another port', { ...data, host: '127.0.0.1:80' }, 403, 'the Host is not the address of this page'],
  ['a foreign Origin', { ...data, origin: 'https://evil.example' }, 403, 'the Origin is another one'],
  [
    'the Origin of another port of this host',
    { ...data, origin: 'http://127.0.0.1:9000' },
    403,
    'the Origin is another one',
  ],
  ['no Origin at all, as a sandbox says it', { ...data, origin: 'null' }, 403, 'the Origin is another one'],
  ['another site', { ...data, site: 'cross-site' }, 403, 'another site asks'],
  ['another port of this host, as browsers say it', { ...data, site: 'same-site' }, 403, 'another site asks'],
  [
    'another site that tries tokens',
    { ...exchange, origin: 'https://evil.example' },
    403,
    'the Origin is another one',
  ],
  ['a wrong token', { ...exchange, authorization: 'Bearer x' }, 401, 'the token is not the one of this page'],
  ['no token', { ...exchange, authorization: undefined }, 401, 'the token is not the one of this page'],
  [
    'no cookie',
    { ...data, cookie: undefined },
    401,
    'there is no session: open the address that the terminal shows',
  ],
  [
    'the cookie of another page',
    { ...data, cookie: 'phaseout-page-8098=right-session' },
    401,
    'there is no session: open the address that the terminal shows',
  ],
  [
    'a wrong cookie',
    { ...data, cookie: 'phaseout-page-8099=x' },
    401,
    'there is no session: open the address that the terminal shows',
  ],
  [
    'the cookie alone, as a server on another port of this host gets it',
    { ...data, key: undefined },
    401,
    'there is no session: open the address that the terminal shows',
  ],
])('%s is refused', (_name, asked, status, why) => {
  expect(judge(asked, door)).toEqual({ kind: 'refused', status, why });
});

test('no script and no other site gets at the cookie', () => {
  expect(setCookie(door)).toBe('phaseout-page-8099=right-session; Path=/; HttpOnly; SameSite=Strict');
});
