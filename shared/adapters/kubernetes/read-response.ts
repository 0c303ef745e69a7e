import { believedRetryAfter, Forbidden, Unavailable } from '../../kubernetes/errors.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { isRecord, parseJson } from './json.ts';
import type { Answer, ApiRequest, Transport } from './request.ts';
import { type ApiStatus, describeFailure, parseStatus, wordsOf } from './status.ts';

/** An HTTP answer, read: what it carries, or what the API says went wrong. */
export interface ReadAnswer {
  code: number;
  /** undefined when the text is no JSON. */
  body: unknown;
  status: ApiStatus | undefined;
  text: string;
  retryAfterSeconds: number | undefined;
  retryAfter: string | undefined;
}

export async function askAndRead(transport: Transport, request: ApiRequest): Promise<ReadAnswer> {
  const answer = await transport.ask(request);
  const body = parseJson(answer.text);
  const status = isRecord(body) && body['kind'] === 'Status' ? parseStatus(body) : undefined;
  const { code, text, retryAfter } = answer;
  return { code, body, status, text, retryAfter, retryAfterSeconds: retryAfterSeconds(answer, status) };
}

export function isSuccess({ code }: ReadAnswer): boolean {
  return code >= 200 && code < 300;
}

/** Answers that say nothing about the object, only that the API could not do its work now. */
export function asksToTryLater({ code }: ReadAnswer): boolean {
  return (
    code >= 500 || code === 429 || code === 408 || code === 401 || code < 200 || (code >= 300 && code < 400)
  );
}

/** The error for an answer from which nothing may be concluded. */
export function couldNotLook(transport: Transport, request: ApiRequest, answer: ReadAnswer): Unavailable {
  const why = isSuccess(answer)
    ? `${answer.code} with a body that is not the expected object`
    : describeFailure(answer.code, answer.status, answer.text);
  const { retryAfterSeconds: seconds } = answer;
  const later = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  const statusText = isSuccess(answer)
    ? 'the answer is not the expected object'
    : wordsOf(answer.status, answer.text);
  const Failure = answer.code === 403 ? Forbidden : Unavailable;
  return new Failure(`${transport.label(request)}: ${why}`, { statusText, ...later });
}

export function refusalOf(answer: ReadAnswer): { kind: 'refused'; code: number; message: string } {
  const message = answer.status?.message ?? describeFailure(answer.code, answer.status, answer.text);
  return { kind: 'refused', code: answer.code, message };
}

/** The object of that name, or undefined when the body is anything else, such as a proxy's own page. */
export function objectNamed(body: unknown, name: string): KubeObject | undefined {
  if (!isKubeObject(body)) return undefined;
  return body.metadata.name === name ? body : undefined;
}

/** The answer to a review. An API server stores none, so it gives it no name. */
export function reviewIn(body: unknown): KubeObject | undefined {
  if (isKubeObject(body)) return body;
  if (!isRecord(body) || !isRecord(body['metadata'])) return undefined;
  const named = { ...body, metadata: { ...body['metadata'], name: '' } };
  return isKubeObject(named) ? named : undefined;
}

export function isKubeObject(value: unknown): value is KubeObject {
  if (!isRecord(value) || value['kind'] === 'Status') return false;
  const metadata = value['metadata'];
  return isRecord(metadata) && typeof metadata['name'] === 'string';
}

function retryAfterSeconds(answer: Answer, status: ApiStatus | undefined): number | undefined {
  return believedRetryAfter(Number(answer.retryAfter ?? status?.details?.retryAfterSeconds));
}
