import { answerOf, type ProviderAnswer as Answer } from '../../../infra/local/provider/answer.ts';
import { createProviderApp } from '../../../infra/local/provider/app.ts';
import type { Cloud } from '../../../infra/local/provider/cloud.ts';
import { type Operation, operations, pathOf } from '../../../shared/actuator/contract.ts';
import type { Actuator, ActuatorTarget } from '../../../shared/actuator/port.ts';
import type { Fetch } from '../../../shared/adapters/actuator/post.ts';
import { pause } from '../../../shared/clock.ts';
import type { Strand } from '../scheduler.ts';
import { never, unlessAborted } from '../wire/promises.ts';

export type ProviderAnswer = Awaited<ReturnType<Actuator[Operation]>>;

export interface ProviderCall extends ActuatorTarget {
  instance: string;
  operation: Operation;
}

/** What becomes of a call to the provider. */
export type ProviderFate =
  | 'answers'
  /** Nobody is there: nothing is done. */
  | 'finds nobody'
  /** It is done, and nobody hears of it. */
  | 'is not answered'
  /** No answer comes before whoever asks gives up. */
  | { hangs: 'before' | 'after' }
  /** Says so, and does nothing. */
  | { says: ProviderAnswer }
  /** Something between answers in its place, before it is asked or after it was. */
  | { isSaid: Answer; when: 'before' | 'after' };

export interface ProviderParts {
  cloud: Cloud;
  /** What it wants to be shown now; undefined where it answers everybody. */
  token: () => string | undefined;
  fate: (call: ProviderCall) => ProviderFate;
  /** Told of each call that is made. */
  asked: (call: ProviderCall) => void;
  /** Told of what it did, or said that it did, before whoever asked knows; undefined where neither. */
  seen: (call: ProviderCall, answer: ProviderAnswer | undefined) => void;
}

/** By this annotation a Machine has the provider think for so many seconds before it makes the server. */
export const thinksSeconds = 'simulation.phaseout.dev/thinks-seconds';

export const providerUrl = 'http://provider';

/** The way of one instance to the provider's HTTP, without the sockets. */
export const wayToProvider =
  (strand: Strand, parts: ProviderParts): Fetch =>
  (url, init) => {
    const answer = carried(strand, parts, url, init);
    return init.signal ? unlessAborted(init.signal, answer, () => strand.isDead) : answer;
  };

async function carried(
  strand: Strand,
  parts: ProviderParts,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const call = callIn(strand.name, url, init);
  await strand.step(`provider ${call.operation}`);
  parts.asked(call);
  const fate = parts.fate(call);
  if (isDone(fate) && call.operation === 'create') await pause(strand, thinkingMilliseconds(call));
  const { answer, done } = isDone(fate) ? await served(parts, url, init) : unserved(fate);
  parts.seen(call, done);
  if (typeof fate === 'object' && 'hangs' in fate) await never();
  await strand.step(`the provider answers ${call.operation}`);
  if (fate === 'is not answered') throw failed('other side closed', 'UND_ERR_SOCKET');
  if (answer === undefined) throw failed('connect ECONNREFUSED', 'ECONNREFUSED');
  return responseOf(typeof fate === 'object' && 'isSaid' in fate ? fate.isSaid : answer);
}

interface Served {
  answer: Answer | undefined;
  /** Undefined where the cloud was not asked. */
  done: ProviderAnswer | undefined;
}

async function served({ cloud, token }: ProviderParts, url: string, init: RequestInit): Promise<Served> {
  let done: ProviderAnswer | undefined;
  const noting =
    <T extends ProviderAnswer>(ask: (target: ActuatorTarget) => Promise<T>) =>
    async (target: ActuatorTarget): Promise<T> => {
      const answer = await ask(target);
      done = answer;
      return answer;
    };
  const wanted = token();
  const app = createProviderApp({
    cloud: {
      exists: noting((target) => cloud.exists(target)),
      create: noting((target) => cloud.create(target)),
      update: noting((target) => cloud.update(target)),
      delete: noting((target) => cloud.delete(target)),
    },
    ...(wanted !== undefined && { token: wanted }),
  });
  const headers = new Headers(init.headers);
  const answer = await app({
    method: init.method ?? 'GET',
    path: new URL(url).pathname,
    contentType: headers.get('content-type') ?? undefined,
    authorization: headers.get('authorization') ?? undefined,
    body: bodyOf(init),
  });
  return { answer, done };
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

const thinkingMilliseconds = ({ machine: { metadata } }: ActuatorTarget): number =>
  Number(metadata.annotations?.[thinksSeconds] ?? 0) * 1_000;

/** Throws where what is sent is no call: then there is a mistake in whoever sends it. */
function callIn(instance: string, url: string, init: RequestInit): ProviderCall {
  const operation = operations.find((each) => url === `${providerUrl}${pathOf(each)}`);
  if (operation === undefined) throw new Error(`the provider has no ${url}`);
  const target: ActuatorTarget = JSON.parse(bodyOf(init));
  return { instance, operation, machine: target.machine, cluster: target.cluster };
}

const bodyOf = ({ body }: RequestInit): string => (typeof body === 'string' ? body : '');

const responseOf = ({ status, headers, body }: Answer): Response =>
  new Response(body === '' ? null : body, { status, headers });

/** As `fetch` fails. */
const failed = (message: string, code: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
