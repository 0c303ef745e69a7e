import { parsed } from './outside.ts';

/** Reads the page as a browser does that was given the address. */
export async function reading(address: string) {
  const { origin, hash } = new URL(address);
  const authorization = `Bearer ${hash.replace('#token=', '')}`;
  const session = await fetch(`${origin}/session`, { headers: { authorization } });
  const { key } = parsed<{ key: string }>(await session.text());
  const headers = { cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '', 'x-phaseout-key': key };
  return async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${origin}${path}`, { headers });
    return parsed<T>(await answer.text());
  };
}
