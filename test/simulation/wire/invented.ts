import type { ApiResponse } from '../../../infra/local/kubernetes/server/request.ts';

/** An answer that no API server of this process gave: one of another's, or a page of a proxy. */
export type Invented =
  | {
      status: number;
      reason: string;
      message: string;
      details?: object;
      /** The header, in seconds or as a date. */
      retryAfter?: string;
    }
  | { status: number; text: string; retryAfter?: string };

export function invented(answer: Invented): ApiResponse {
  const { status, retryAfter } = answer;
  const isText = 'text' in answer;
  const headers = {
    'content-type': isText ? 'text/plain' : 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  };
  return { status, headers, body: isText ? answer.text : statusText(answer) };
}

function statusText({ status: code, reason, message, details }: Exclude<Invented, { text: string }>): string {
  const outcome = code < 400 ? 'Success' : 'Failure';
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: outcome, message, reason };
  return JSON.stringify({ ...body, ...(details && { details }), code });
}

const unchanged = 'please apply your changes to the latest version and try again';

/** In the words of real API servers, and of what stands before them. */
export const refusals = {
  conflict: {
    status: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on the object: the object has been modified; ${unchanged}`,
  },
  throttled: { status: 429, text: 'Too many requests, please try again later.\n', retryAfter: '1' },
  throttledForLong: { status: 429, text: 'Too many requests, please try again later.\n', retryAfter: '30' },
  throttledSomehow: { status: 429, text: 'Too many requests, please try again later.\n' },
  internal: {
    status: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: etcdserver: leader changed',
  },
  badGateway: { status: 502, text: '<html><body><h1>502 Bad Gateway</h1></body></html>' },
  unavailable: { status: 503, reason: 'ServiceUnavailable', message: 'apiserver not ready' },
  timeout: {
    status: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
  },
  unauthorized: { status: 401, reason: 'Unauthorized', message: 'Unauthorized' },
  forbidden: {
    status: 403,
    reason: 'Forbidden',
    message: 'the request is forbidden: no RBAC policy matched',
  },
  /** No API server says this of an object, but a load balancer without a backend does. */
  notFoundPage: { status: 404, text: 'default backend - 404' },
  /** For a page of a list: what the first page was taken from is no longer known. */
  expired: {
    status: 410,
    reason: 'Expired',
    message: 'The provided continue parameter is too old to display a consistent list result.',
  },
} as const satisfies Record<string, Invented>;
