import { request } from 'node:http';

export interface Answer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Asking {
  headers?: Record<string, string>;
  method?: string;
  body?: string;
}

/** By node:http: fetch sets no Host. */
export function ask(
  port: number,
  path: string,
  { headers = {}, method = 'GET', body }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      const done = () => resolve({ status: response.statusCode, headers: response.headers, text });
      response.on('end', done).on('close', done);
    });
    asking.on('error', reject).end(body);
  });
}

/** What a browser shows once it has a session. */
export function sessionIn({ headers, text }: Answer): Record<string, string> {
  const { key }: { key: string } = JSON.parse(text);
  return { cookie: String(headers['set-cookie']).split(';')[0]!, 'x-phaseout-key': key };
}
