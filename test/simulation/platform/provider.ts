import { type ProviderAnswer as Answer, answerOf } from '../../../infra/local/provider/app.ts';
import { type Operation, operations, pathOf } from '../../../shared/actuator/contract.ts';
import type { ActuatorTarget } from '../../../shared/actuator/port.ts';
import type { Fetch } from '../../../shared/adapters/actuator/post.ts';
import { providerRequest } from '../../contracts/actuator/provider-request.ts';
import type { Strand } from '../scheduler.ts';
import { never, unlessAborted } from '../wire/promises.ts';
import type { ProviderAnswer } from './provider-answer.ts';
import type { ProviderDesk, Served } from './provider-desk.ts';

export interface ProviderCall extends ActuatorTarget {
  instance: string;
  operation: Operation;
}

/** What becomes of a call to the provider. */
export type ProviderFate =
  | 'answers'
  /** No process is there: nothing is done. */
  | 'finds nobody'
  /** It is done, and no answer comes. */
  | 'is not answered'
  /** No answer comes before the caller gives up. */
  | { hangs: 'before' | 'after' }
  /** Answers this, and does nothing. */
  | { says: ProviderAnswer }
  /** Something between answers in its place, before it is asked or after it was. */
  | { isSaid: Answer; when: 'before' | 'after' };

export interface ProviderParts {
  desk: ProviderDesk;
  fate: (call: ProviderCall) => ProviderFate;
  /** Called for each call. */
  asked: (call: ProviderCall) => void;
  /** Called with what it did, or reported as done, before the caller knows. Undefined where neither. */
  seen: (call: ProviderCall, answer: ProviderAnswer | undefined) => void;
  /** Called with an answer that reaches a caller who still waits. */
  heard?: (call: ProviderCall, answer: Answer) => void;
}

export const providerUrl = 'http://provider';

/** The way of one instance to the provider. */
export const wayToProvider =
  (strand: Strand, parts: ProviderParts): Fetch =>
  (url, init) => {
    const answer = carried(strand, parts, url, init);
    return init.signal ? unlessAborted(init.signal, answer, () => strand.isDead) : answer;
  };

async function carried(
  strand: Strand,
  { desk, ...parts }: ProviderParts,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const call = callIn(strand.name, url, init);
  await strand.step(`provider ${call.operation}`);
  parts.asked(call);
  const fate = parts.fate(call);
  const { answer, done } = isDone(fate) ? await desk(url, init) : unserved(fate);
  parts.seen(call, done);
  if (typeof fate === 'object' && 'hangs' in fate) await never();
  await strand.step(`the provider answers ${call.operation}`);
  if (fate === 'is not answered') throw failed('other side closed', 'UND_ERR_SOCKET');
  if (answer === undefined) throw failed('connect ECONNREFUSED', 'ECONNREFUSED');
  const told = typeof fate === 'object' && 'isSaid' in fate ? fate.isSaid : answer;
  if (init.signal?.aborted !== true) parts.heard?.(call, told);
  return responseOf(told);
}

function unserved(fate: ProviderFate): Served {
  if (typeof fate !== 'object') return { answer: undefined, done: undefined };
  if ('says' in fate) return { answer: answerOf(fate.says), done: fate.says };
  return { answer: 'isSaid' in fate ? fate.isSaid : undefined, done: undefined };
}

const isDone = (fate: ProviderFate): boolean => {
  if (typeof fate !== 'object') return fate !== 'finds nobody';
  return ('hangs' in fate && fate.hangs === 'after') || ('when' in fate && fate.when === 'after');
};

/** Throws if the request is no call: then its sender has a mistake. */
function callIn(instance: string, url: string, init: RequestInit): ProviderCall {
  const operation = operations.find((each) => url === `${providerUrl}${pathOf(each)}`);
  if (operation === undefined) throw new Error(`the provider has no ${url}`);
  const target: ActuatorTarget = JSON.parse(providerRequest(url, init).body ?? '');
  return { instance, operation, machine: target.machine, cluster: target.cluster };
}

const responseOf = ({ status, headers, body }: Answer): Response =>
  new Response(body === '' ? null : body, { status, headers });

/** As `fetch` fails. */
const failed = (message: string, code: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
