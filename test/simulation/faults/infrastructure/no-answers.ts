import type { ProviderAnswer as Answer } from '../../../../infra/local/provider/app.ts';
import { operations, pathOf } from '../../../../shared/actuator/contract.ts';

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
const text = (status: number, type: string, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': type, ...headers },
  body,
});
const error = (message: string) => ({ error: { message } });

/**
 * What a proxy, a login page, another program or a provider with a defect answers. By none of it is anything known of a
 * server: that a path is not found says nothing of one.
 */
export const noAnswers: readonly Answer[] = [
  text(502, 'text/html', '<html>Bad Gateway</html>'),
  text(503, 'text/plain', 'upstream connect error', { 'retry-after': '5' }),
  text(200, 'text/html', '<html>Please log in</html>'),
  text(302, 'text/html', '', { location: 'http://login.example.com/' }),
  { status: 204, headers: {}, body: '' },
  json(200, ''),
  json(200, []),
  json(200, '{"exists": fal'),
  json(401, error('the token is missing or wrong')),
  json(403, error('not for you')),
  json(404, error(`there is no ${pathOf(operations[0])}`)),
  json(404, { exists: false }),
  json(410, error('gone')),
  json(422, { message: 'no' }),
  json(429, error('too many requests')),
  json(500, error('the provider has a defect')),
];
