import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../shared/time/clock.ts';
import { answerView, type Read } from '../server/answer-view.ts';
import type { Assets } from '../server/assets.ts';
import { answerAsset, askedBy, cookieIn, end, queryOf, safeHeaders } from '../server/http.ts';
import { type ClusterDoor, judgeInCluster } from './door.ts';
import type { May } from './rights.ts';
import { reviewedMilliseconds, type Sessions } from './sessions.ts';

export interface ClusterAnswering {
  door: ClusterDoor;
  sessions: Sessions;
  assets: Assets;
  /** The view at a path, as far as somebody may see it. */
  view: (path: string, query: URLSearchParams, may: May) => Read | undefined;
  clock: Pick<Clock, 'after'>;
}

const cookieName = 'phaseout-page';
const longestToken = 16_384;

/** Answers one request in a cluster. Throws Unavailable where the API server cannot be asked. */
export async function answerInCluster(
  request: IncomingMessage,
  response: ServerResponse,
  { door, sessions, assets, view, clock }: ClusterAnswering,
): Promise<void> {
  const asked = askedBy(request);
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
  const session = await sessions.find(cookieIn(asked.cookie, cookieName), asked.key);
  const verdict = judgeInCluster(asked, door, session !== undefined);
  if (verdict.kind === 'refused') return end(response, verdict.status, `${verdict.why}\n`);
  if (verdict.kind === 'token') return answerToken(request, response, sessions);
  if (verdict.kind === 'page' || session === undefined) return answerAsset(asked.path, response, assets);
  answerView(view(asked.path, queryOf(request), session.may), request, response, clock);
  // The browser asks again, and the session is judged again.
  const stop = clock.after(reviewedMilliseconds, () => response.end());
  response.once('close', stop);
}

async function answerToken(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Sessions,
): Promise<void> {
  const token = await tokenIn(request);
  const opened = token === undefined ? undefined : await sessions.open(token);
  if (opened === undefined) return end(response, 401, 'the token is no good for this page\n');
  const secure = request.headers.origin?.startsWith('https:') === true ? '; Secure' : '';
  response.setHeader(
    'set-cookie',
    `${cookieName}=${opened.cookie}; Path=/; HttpOnly; SameSite=Strict${secure}`,
  );
  return end(response, 200, JSON.stringify({ key: opened.key }), 'application/json');
}

/** Undefined where it is none, or too long to be one. */
async function tokenIn(request: IncomingMessage): Promise<string | undefined> {
  let text = '';
  request.setEncoding('utf8');
  for await (const part of request) {
    text += String(part);
    if (text.length > longestToken) return undefined;
  }
  return /^[\w.~+/=-]+$/.test(text.trim()) ? text.trim() : undefined;
}
