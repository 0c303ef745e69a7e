import type { ApiRequest, ApiResponse } from '../../../infra/local/kubernetes/server/request.ts';
import { type Invented, invented } from './invented.ts';

/** What becomes of one request. Whatever does not fit it (a watch's end for a read, an old answer to a write) is `pass`. */
export type Meddling =
  | 'pass'
  /** No server listens there. */
  | 'refused'
  /** Given in the server's place, which is not asked. */
  | { answer: Invented }
  /** Given in the place of the server's answer, which has done what it was asked. */
  | { answerAfter: Invented }
  /** The connection breaks before the server is asked, or after it has done it. */
  | { lost: 'before' | 'after' }
  /** No answer ever comes; `late`: the server is asked after the client has given up. */
  | { silent: 'before' | 'after' | 'late' }
  /** Answers a GET or LIST as of so many changes ago. If the server forgot that state, as of now. */
  | { stale: number }
  /** A LIST is answered by so many objects at most; the rest is asked for by requests of their own. */
  | { pages: number }
  /** A watch opens without ever a line, or its connection ends, or its version is too old. */
  | { watch: 'silent' | 'cut' | 'expired' };

export interface Fate {
  /** The server's own answer; undefined when it was not asked. */
  effect: ApiResponse | undefined;
  /** What travels back; undefined when nothing does. */
  told: ApiResponse | Error | undefined;
  /** What becomes of the watch that was opened. */
  watch?: 'silent' | 'cut' | 'expired';
}

/** What is asked then was meant for a world that is long gone. */
export const isLate = (meddling: Meddling): boolean =>
  typeof meddling === 'object' && 'silent' in meddling && meddling.silent === 'late';

type Respond = (request: ApiRequest) => ApiResponse;

/** Asks the server, or does not, and answers with what the client gets. */
export function fateOf(meddling: Meddling, asked: ApiRequest, respond: Respond): Fate {
  if (meddling === 'pass') return given(respond(asked));
  if (meddling === 'refused') return refused();
  if ('answer' in meddling) return { effect: undefined, told: invented(meddling.answer) };
  if ('answerAfter' in meddling)
    return { effect: unheard(respond(asked)), told: invented(meddling.answerAfter) };
  const ask = (): ApiResponse => respond(asked);
  if ('lost' in meddling) return { effect: effectOf(meddling.lost, ask), told: lost() };
  if ('silent' in meddling) return { effect: effectOf(meddling.silent, ask), told: undefined };
  if ('stale' in meddling) return given(respond({ ...asked, changesBehind: meddling.stale }));
  if ('pages' in meddling) return given(respond(inPages(asked, meddling.pages)));
  return { ...given(respond(asked)), watch: meddling.watch };
}

const given = (answer: ApiResponse): Fate => ({ effect: answer, told: answer });

const effectOf = (when: 'before' | 'after' | 'late', ask: () => ApiResponse): ApiResponse | undefined =>
  when === 'before' ? undefined : unheard(ask());

/** An answer that is lost; a watch has no reader then. */
function unheard(answer: ApiResponse): ApiResponse {
  answer.stream?.close();
  return answer;
}

/** Only lists are asked for with a limit. */
const inPages = (asked: ApiRequest, most: number): ApiRequest =>
  asked.query?.limit === undefined ? asked : { ...asked, query: { ...asked.query, limit: String(most) } };

export const refused = (): Fate => ({
  effect: undefined,
  told: failure('connect ECONNREFUSED', 'ECONNREFUSED'),
});
const lost = (): Error => failure('other side closed', 'UND_ERR_SOCKET');

/** An error as sockets have it. */
const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });
