import { request } from 'undici';
import { type AppOptions, createApp } from '../../../shared/http/app.ts';
import type { Handler } from '../../../shared/http/function.ts';
import { serve } from '../../../shared/http/serve.ts';

export interface Call {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Answered {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

export interface Client {
  call(call: Call): Promise<Answered>;
  close(): Promise<void>;
}

export type Start = (handlers: Record<string, Handler>, options: AppOptions) => Promise<Client>;

const inProcess: Start = (handlers, options) => {
  const app = createApp(handlers, options);
  const call = ({ method = 'POST', path = '/echo', headers = {}, body = '' }: Call): Promise<Answered> => {
    const bytes = new TextEncoder().encode(body);
    const readBody = (limit: number) => Promise.resolve(bytes.length > limit ? bytes.length : bytes);
    const [before = '', ...query] = path.split('?');
    return app({ method, path: before, query: query.join('?'), headers, readBody });
  };
  return Promise.resolve({ call, close: () => Promise.resolve() });
};

const overHttp: Start = async (handlers, options) => {
  const serving = await serve(handlers, { ...options, port: 0, host: '127.0.0.1' });
  return {
    async call({ method = 'POST', path = '/echo', headers = {}, body = '' }) {
      const payload = method === 'POST' ? { body } : {};
      const answer = await request(`${serving.url}${path}`, { method, headers, ...payload });
      const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      return { status: answer.statusCode, headers: Object.fromEntries(flat), body: await answer.body.text() };
    },
    close: () => serving.close(),
  };
};

/** The same suite in process and over real HTTP. */
export const transports: [string, Start][] = [
  ['in process', inProcess],
  ['over HTTP', overHttp],
];
