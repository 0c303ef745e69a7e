import { describe, expect, test } from 'vitest';
import type { Post, PostRequest } from '../../../../infra/local/eventing/post.ts';
import { outboxPost, withinProcess } from '../../../../infra/local/eventing/within-process.ts';
import type { HttpRequest, HttpResponse } from '../../../../shared/http/message.ts';

const elsewhere: Post = async () => ({ status: 299, headers: {}, body: new Uint8Array() });

const silent = (): Promise<never> => new Promise(() => undefined);

function aSite(answer: Partial<HttpResponse> = {}) {
  const asked: HttpRequest[] = [];
  const app = async (request: HttpRequest): Promise<HttpResponse> => {
    asked.push(request);
    return { status: 200, headers: {}, body: '', ...answer };
  };
  return { asked, post: withinProcess(() => [{ url: 'http://127.0.0.1:8080', app }], elsewhere) };
}

const aRequest = (parts: Partial<PostRequest> = {}): PostRequest => ({
  url: 'http://127.0.0.1:8080/drain?type=a',
  headers: { 'Ce-Id': '7' },
  body: Buffer.from('{"a":1}'),
  ...parts,
});

describe('a site of this process', () => {
  test('is asked for the same as over HTTP', async () => {
    const { post, asked } = aSite();
    await post(aRequest());
    expect(asked).toMatchObject([
      { method: 'POST', path: '/drain', query: 'type=a', headers: { 'ce-id': '7' } },
    ]);
    expect(await asked[0]!.readBody(100)).toEqual(Buffer.from('{"a":1}'));
  });

  test('is told the length of a body beyond its limit', async () => {
    const { post, asked } = aSite();
    await post(aRequest());
    expect(await asked[0]!.readBody(6)).toBe(7);
  });

  test('answers with its status, headers in lower case, and body', async () => {
    const { post } = aSite({ status: 503, headers: { 'Retry-After': '2' }, body: 'later' });
    const { status, headers, body } = await post(aRequest());
    expect([status, headers, Buffer.from(body).toString()]).toEqual([503, { 'retry-after': '2' }, 'later']);
  });

  test('is not waited for any longer once the sender gives up', async () => {
    const gone = new AbortController();
    const post = withinProcess(() => [{ url: 'http://127.0.0.1:8080', app: silent }], elsewhere);
    const posted = post(aRequest({ signal: gone.signal }));
    gone.abort(new Error('the time-out passed'));
    await expect(posted).rejects.toThrow('the time-out passed');
  });
});

test.each(['http://127.0.0.1:9090/hook', 'http://127.0.0.1:80801/hook'])(
  'another address is posted to: %s',
  async (url) => {
    const { post, asked } = aSite();
    const { status } = await post(aRequest({ url }));
    expect([status, asked]).toEqual([299, []]);
  },
);

test('the outbox posts its messages that way', async () => {
  const { post, asked } = aSite({ status: 202 });
  const message = { headers: { 'ce-id': '8' }, body: 'ü' };
  const signal = new AbortController().signal;
  const answer = await outboxPost(post)('http://127.0.0.1:8080/ns/broker', message, signal);
  expect([answer.status, asked[0]?.path, await asked[0]?.readBody(1)]).toEqual([202, '/ns/broker', 2]);
});
