import * as z from 'zod';
import type { Key, Resource } from '../../kubernetes/client.ts';
import { believedRetryAfter, Forbidden, Unavailable } from '../../kubernetes/errors.ts';
import { isRecord, type KubeObject } from '../../kubernetes/objects.ts';
import type { Answer, ApiRequest, Transport } from './request.ts';

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
  const status = isRecord(body) && body['kind'] === 'Status' ? statusSchema.safeParse(body).data : undefined;
  const { code, text, retryAfter } = answer;
  return { code, body, status, text, retryAfter, retryAfterSeconds: retryAfterSeconds(answer, status) };
}

export function isSuccess({ code }: ReadAnswer): boolean {
  return code >= 200 && code < 300;
}

/** Answers that show nothing about the object, only that the API could not do its work now. */
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
  const statusText = isSuccess(answer)
    ? 'the answer is not the expected object'
    : wordsOf(answer.status, answer.text);
  const Failure = answer.code === 403 ? Forbidden : Unavailable;
  return new Failure(`${transport.label(request)}: ${why}`, {
    statusText,
    retryAfterSeconds: answer.retryAfterSeconds,
  });
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

/** undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const statusSchema = z.looseObject({
  kind: z.literal('Status'),
  status: z.string().optional(),
  message: z.string().optional(),
  reason: z.string().optional(),
  code: z.number().optional(),
  details: z
    .looseObject({
      name: z.string().optional(),
      kind: z.string().optional(),
      retryAfterSeconds: z.number().optional(),
    })
    .nullish(),
});

/** The API server's own account of what went wrong. */
type ApiStatus = z.infer<typeof statusSchema>;

/**
 * Whether the API answers 404 for this very object. It also does for a missing CRD, version, path or namespace, and so
 * may a proxy. None of these shows that the object is absent.
 */
export function isObjectAbsent({ code, status }: ReadAnswer, resource: Resource, key: Key): boolean {
  if (code !== 404 || status?.reason !== 'NotFound' || status.details?.name !== key.name) return false;
  const kind = status.details.kind;
  return kind === undefined || kind === '' || namesResource(kind, resource);
}

/** `details.kind` is mostly the plural (`configmaps`), but some answers carry the kind (`ConfigMap`). */
function namesResource(kind: string, { plural }: Resource): boolean {
  const name = kind.toLowerCase();
  return [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')].includes(plural);
}

/** One line for people: the API's own words where there are any. */
function describeFailure(code: number, status: ApiStatus | undefined, text: string): string {
  if (status !== undefined) return [code, status.reason, status.message].filter(Boolean).join(' ');
  const line = lineOf(text);
  return line === '' ? String(code) : `${code} ${line}`;
}

/** The API's own words alone, as peers show them. */
const wordsOf = (status: ApiStatus | undefined, text: string): string =>
  (status === undefined ? lineOf(text) : status.message) || 'the server gave no reason';

const lineOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200);
