import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { CannotDo } from '../../terminal/usage-error.ts';
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

/** What a request asks a view for. */
export function queryOf({ url = '' }: Pick<IncomingMessage, 'url'>): URLSearchParams {
  const [, ...query] = url.split('?');
  return new URLSearchParams(query.join('?'));
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

/** Of every answer. A browser loads and runs nothing but what this server has, and keeps nothing of it. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** Resolves with the port. Throws CannotDo where it cannot be had. */
export async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ port, ...(host !== undefined && { host }) }, resolve);
    });
  } catch (error) {
    throw new CannotDo(
      `the page cannot be served: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Ends what is being read, too. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
