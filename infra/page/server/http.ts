import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Assets, assetPath } from './assets.ts';

/** What a request says of itself, as far as it decides whether it is answered. */
export interface Asked {
  method: string;
  path: string;
  host?: string | undefined;
  origin?: string | undefined;
  /** `sec-fetch-site`: browsers say where the request comes from. */
  site?: string | undefined;
  cookie?: string | undefined;
  authorization?: string | undefined;
  /** `x-phaseout-key`. */
  key?: string | undefined;
}

export function askedBy({ method = '', url = '/', headers }: IncomingMessage): Asked {
  const { host, cookie, authorization } = headers;
  const one = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  };
  return {
    method,
    path: url.split('?')[0] ?? '/',
    host,
    cookie,
    authorization,
    origin: one('origin'),
    site: one('sec-fetch-site'),
    key: one('x-phaseout-key'),
  };
}

/** The value of a cookie. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

export function end(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` });
  response.end(body);
}

export async function answerAsset(path: string, response: ServerResponse, assets: Assets): Promise<void> {
  const asset = (await assets()).get(assetPath(path));
  if (asset === undefined) return end(response, 404, 'there is no such file\n');
  return end(response, 200, asset.body, asset.type);
}
