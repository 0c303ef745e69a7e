import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../shared/time/clock.ts';
import { answerView, type Read } from './answer-view.ts';
import type { Assets } from './assets.ts';
import { type Door, judge, setCookie } from './guard.ts';
import { answerAsset, askedBy, end, queryOf, safeHeaders } from './http.ts';

export interface Answering {
  assets: Assets;
  /** The view at a path; undefined where there is none. */
  view: (path: string, query: URLSearchParams) => Read | undefined;
  clock: Pick<Clock, 'after'>;
}

/** Answers one request on loopback. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  door: Door,
  { assets, view, clock }: Answering,
): Promise<void> {
  const asked = askedBy(request);
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
  const verdict = judge(asked, door);
  switch (verdict.kind) {
    case 'refused':
      if (verdict.status === 405) response.setHeader('allow', 'GET, HEAD');
      return end(response, verdict.status, `${verdict.why}\n`);
    case 'exchange':
      response.setHeader('set-cookie', setCookie(door));
      return end(response, 200, JSON.stringify({ key: door.key }), 'application/json');
    case 'page':
      return answerAsset(asked.path, response, assets);
    case 'data':
      return answerView(view(asked.path, queryOf(request)), request, response, clock);
    default:
      return verdict satisfies never;
  }
}
