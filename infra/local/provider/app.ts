import { createHash, timingSafeEqual } from 'node:crypto';
import {
  limits,
  type Operation,
  operations,
  pathOf,
  requestSchema,
} from '../../../shared/actuator/contract.ts';
import type { Actuator, ActuatorRefusal } from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { ApiResponse } from '../kubernetes/server/request.ts';

interface ProviderRequest {
  method: string;
  /** Without query. */
  path: string;
  contentType: string | undefined;
  authorization: string | undefined;
  /** Undefined when it had more bytes than are taken. */
  body: string | undefined;
}

export interface ProviderAppOptions {
  cloud: Actuator;
  /** Without one everybody is answered. */
  token?: string;
}

export type ProviderApp = (request: ProviderRequest) => Promise<ProviderAnswer>;

/** The HTTP contract in front of a cloud, without the HTTP: refusals are answers, nothing is thrown. */
export function createProviderApp({ cloud, token }: ProviderAppOptions): ProviderApp {
  return async (request) => {
    if (token !== undefined && !isBearer(request.authorization, token)) {
      return errorAnswer(401, 'the token is missing or wrong', { 'www-authenticate': 'Bearer' });
    }
    const operation = operations.find((each) => request.path === pathOf(each));
    if (operation === undefined) return errorAnswer(404, `there is no ${request.path}`);
    if (request.method !== 'POST') return errorAnswer(405, 'only POST is served', { allow: 'POST' });
    if (!isJson(request.contentType)) return errorAnswer(415, 'the body must be application/json');
    if (request.body === undefined) return errorAnswer(413, `more than ${limits.requestBytes} bytes`);
    const target = targetIn(request.body);
    if (typeof target === 'string') return errorAnswer(400, target);
    try {
      return answerOf(await cloud[operation](target));
    } catch (error) {
      return errorAnswer(500, error instanceof Unavailable ? error.message : 'the provider has a defect');
    }
  };
}

/** What is asked about, or what is wrong with the body. */
function targetIn(body: string) {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'the body is no JSON';
  }
  const parsed = requestSchema.safeParse(value);
  if (parsed.success) return { machine: parsed.data.machine, cluster: parsed.data.cluster ?? undefined };
  const [issue] = parsed.error.issues;
  return `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'invalid'}`;
}

const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';

function isBearer(authorization: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/** A digest has the same length for any input. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export type ProviderAnswer = Pick<ApiResponse, 'status' | 'headers' | 'body'>;

type AnyAnswer = Awaited<ReturnType<Actuator[Operation]>>;

/** What an actuator says, in the words of the HTTP contract. */
export function answerOf(answer: AnyAnswer): ProviderAnswer {
  switch (answer.kind) {
    case 'exists':
      return json(200, { exists: true, retryAfterSeconds: answer.retryAfterSeconds });
    case 'absent':
      return json(200, { exists: false });
    case 'done':
      return json(200, answer.report);
    case 'accepted':
      return json(202, {});
    default:
      return refusalAnswer(answer);
  }
}

/** An answer that only reports an error. */
export function errorAnswer(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): ProviderAnswer {
  return json(status, { error: { message } }, headers);
}

function refusalAnswer(refusal: ActuatorRefusal): ProviderAnswer {
  const { message } = refusal;
  if (refusal.kind === 'failed') return json(422, { error: { reason: refusal.reason, message } });
  const seconds = refusal.afterSeconds;
  // The header is for proxies in between; it takes only whole seconds.
  const header = { 'retry-after': String(Math.ceil(seconds)) };
  return json(503, { error: { message, retryAfterSeconds: seconds } }, header);
}

function json(status: number, body: object, headers: Record<string, string> = {}): ProviderAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
