import { expect, test } from 'vitest';
import { judgeInCluster } from '../../../infra/page/cluster/door.ts';
import type { Asked } from '../../../infra/page/server/http.ts';

const door = { hosts: ['page.example'] };
const data: Asked = { method: 'GET', path: '/api/overview', host: 'page.example', site: 'same-origin' };
const token: Asked = {
  method: 'POST',
  path: '/session',
  host: 'page.example',
  origin: 'https://page.example',
  site: 'same-origin',
};

test.each<[string, Asked, boolean, string]>([
  ['data of a session', data, true, 'data'],
  ['a token', token, false, 'token'],
  ['the bare page', { method: 'GET', path: '/', host: 'page.example', site: 'none' }, false, 'page'],
])('%s is let in', (_what, asked, isKnown, kind) => {
  expect(judgeInCluster(asked, door, isKnown).kind).toBe(kind);
});

test.each<[string, Asked, boolean, number, string]>([
  ['no session', data, false, 401, 'there is no session'],
  ['a foreign Host', { ...data, host: 'evil.example' }, true, 403, 'the Host is not one of this page'],
  [
    'a foreign Host of a token',
    { ...token, host: 'evil.example' },
    true,
    403,
    'the Host is not one of this page',
  ],
  ['a foreign Origin', { ...data, origin: 'https://evil.example' }, true, 403, 'the Origin is another one'],
  ['another site', { ...data, site: 'cross-site' }, true, 403, 'another site asks'],
  [
    'a token from elsewhere',
    { ...token, origin: 'https://evil.example' },
    false,
    403,
    'the Origin is another one',
  ],
  ['a token from a form elsewhere', { ...token, origin: undefined }, false, 403, 'the Origin is missing'],
  [
    'another method',
    { ...data, method: 'DELETE' },
    true,
    405,
    'only GET and HEAD are answered, and POST of a token',
  ],
  [
    'a POST of anything else',
    { ...data, method: 'POST' },
    true,
    405,
    'only GET and HEAD are answered, and POST of a token',
  ],
])('%s is refused', (_what, asked, isKnown, status, why) => {
  expect(judgeInCluster(asked, door, isKnown)).toEqual({ kind: 'refused', status, why });
});
