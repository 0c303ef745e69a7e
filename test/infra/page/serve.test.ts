import { describe, expect, onTestFinished, test } from 'vitest';
import { openAssets } from '../../../infra/page/assets/open.ts';
import { servePage } from '../../../infra/page/server/serve.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { ask, sessionIn } from './ask.ts';

async function aPage() {
  const readers = new Set<(found: object) => void>();
  const page = await servePage({
    assets: openAssets(),
    clock: systemClock,
    view: (path) =>
      path === '/api/overview'
        ? (reader) => {
            readers.add(reader);
            reader({ secret: 'worker-1' });
            return () => void readers.delete(reader);
          }
        : undefined,
  });
  onTestFinished(() => page.close());
  const { port, hash } = new URL(page.address);
  const token = hash.replace('#token=', '');
  const session = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return sessionIn(await ask(Number(port), '/session', { headers }));
  };
  return { port: Number(port), session, readers, close: () => page.close() };
}

describe('the page on loopback', () => {
  test('gives its data to who has exchanged the token', async () => {
    const { port, session, readers } = await aPage();
    const { status, text, headers } = await ask(port, '/api/overview', { headers: await session() });
    expect({ status, text, type: headers['content-type'] }).toEqual({
      status: 200,
      text: '{"secret":"worker-1"}',
      type: 'application/json; charset=utf-8',
    });
    expect(readers.size).toBe(0);
  });

  test('sends each view as an event, and ends with the process', async () => {
    const { port, session, close, readers } = await aPage();
    const headers = { ...(await session()), accept: 'text/event-stream' };
    const asking = ask(port, '/api/overview', { headers });
    await expect.poll(() => readers.size).toBe(1);
    for (const reader of readers) reader({ secret: 'worker-2' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await close();
    const { text, headers: answered } = await asking;
    expect(answered['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(text).toBe('retry: 2000\n\ndata: {"secret":"worker-1"}\n\ndata: {"secret":"worker-2"}\n\n');
    await expect.poll(() => readers.size).toBe(0);
  });

  test.each<[string, Record<string, string>, string, number]>([
    ['no cookie', { cookie: '' }, 'GET', 401],
    ['no key', { 'x-phaseout-key': '' }, 'GET', 401],
    ['a foreign Host', { host: 'evil.example' }, 'GET', 403],
    ['a foreign Origin', { origin: 'http://evil.example' }, 'GET', 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 'GET', 403],
    ['another method', {}, 'POST', 405],
  ])('gives nothing to a request with %s', async (_what, changed, method, status) => {
    const { port, session } = await aPage();
    const given = { ...(await session()), ...changed };
    const answer = await ask(port, '/api/overview', { headers: given, method });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('worker-1');
  });

  test('gives no session for a wrong token', async () => {
    const { port } = await aPage();
    const { status, headers } = await ask(port, '/session', { headers: { authorization: 'Bearer x' } });
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
  });

  test.each(['/', '/capi/fleet/worker-1', '/app.js', '/none.js', '/api/overview', '/session'])(
    'says with every answer what a browser may load: %s',
    async (path) => {
      const { port } = await aPage();
      const { headers } = await ask(port, path);
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    },
  );

  test('has the bare page under each view, and one script without any of a cluster', async () => {
    const { port } = await aPage();
    const [first, view, dotted, none] = await Promise.all(
      ['/', '/capi/fleet/worker-1', '/capi/fleet/ip-10-0-1-2.ec2.internal', '/none.js'].map((path) =>
        ask(port, path),
      ),
    );
    expect(first?.text).toContain('<script type="module" src="/app.js"></script>');
    expect([view?.text, dotted?.text]).toEqual([first?.text, first?.text]);
    expect(none?.status).toBe(404);
  });

  test('is refused a port that is taken', async () => {
    const { port } = await aPage();
    const options = { assets: openAssets(), clock: systemClock, view: () => undefined };
    await expect(servePage({ ...options, port })).rejects.toThrow(/the page cannot be served: .*EADDRINUSE/);
  });
});
