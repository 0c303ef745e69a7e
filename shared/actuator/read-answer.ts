import * as z from 'zod';
import { cutToBytes } from '../text/truncate.ts';
import {
  deleteAnswerSchema,
  errorAnswerSchema,
  existsAnswerSchema,
  limits,
  reasonSchema,
  reportAnswerSchema,
  statuses,
} from './contract.ts';
import type { ActuatorAnswer, ActuatorRefusal, ActuatorReport, DeleteAnswer, Existence } from './port.ts';

/** What came back over HTTP. `contentType` is the header as sent. */
export interface HttpAnswer {
  status: number;
  contentType: string | undefined;
  text: string;
}

/** The provider's answer, or why it is of no use. */
export type Reading<T> = { kind: 'read'; value: T } | { kind: 'unusable'; why: string };

/** Reads the provider's answer whether there is a server. A malformed one is a failure that says so. */
export function readExistence(answer: HttpAnswer): Reading<Existence> {
  return readAs(answer, statuses.done, existsAnswerSchema, ({ exists, retryAfterSeconds }) =>
    exists ? { kind: 'exists', ...optional({ retryAfterSeconds }) } : { kind: 'absent' },
  );
}

/** Of create and update. */
export function readReport(answer: HttpAnswer): Reading<ActuatorAnswer> {
  return readAs(answer, statuses.done, reportAnswerSchema, (body) => ({
    kind: 'done',
    report: reportIn(body),
  }));
}

/** Reads the provider's answer to a delete. A malformed one is a failure that says so. */
export function readDeletion(answer: HttpAnswer): Reading<DeleteAnswer> {
  return readAs(answer, statuses.accepted, deleteAnswerSchema, () => ({ kind: 'accepted' }));
}

function readAs<Body, Value>(
  answer: HttpAnswer,
  good: readonly number[],
  schema: z.ZodType<Body>,
  valueOf: (body: Body) => Value,
): Reading<Value | ActuatorRefusal> {
  const { status } = answer;
  if (!good.includes(status)) return readRefusal(answer);
  const body = parseJson(answer);
  if (body.kind === 'unusable') return { kind: 'unusable', why: `answered ${status} ${body.why}` };
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return { kind: 'read', value: valueOf(parsed.data) };
  return {
    kind: 'unusable',
    why: `answered ${status} with a body that does not match: ${firstIssue(parsed.error)}`,
  };
}

function readRefusal(answer: HttpAnswer): Reading<ActuatorRefusal> {
  const { status } = answer;
  const body = parseJson(answer);
  const parsed = errorAnswerSchema.safeParse(body.kind === 'read' ? body.value : undefined);
  if (!parsed.success) {
    const why = body.kind === 'unusable' ? body.why : `without a proper error: ${firstIssue(parsed.error)}`;
    return { kind: 'unusable', why: `answered ${status} ${why}` };
  }
  const { reason, retryAfterSeconds, ...error } = parsed.data.error;
  const message = cutToBytes(error.message, limits.messageBytes);
  if (isOneOf(statuses.failed, status)) {
    return { kind: 'read', value: { kind: 'failed', reason: reasonSchema.safeParse(reason).data, message } };
  }
  if (isOneOf(statuses.retry, status) && typeof retryAfterSeconds === 'number') {
    return { kind: 'read', value: { kind: 'retry', afterSeconds: retryAfterSeconds, message } };
  }
  return { kind: 'unusable', why: `answered ${status}: ${message}` };
}

const isOneOf = (list: readonly number[], status: number): boolean => list.includes(status);

function reportIn({
  providerID,
  addresses,
  providerStatus,
}: z.infer<typeof reportAnswerSchema>): ActuatorReport {
  return optional({
    // The empty text is what Go writes for an identity that is not known yet.
    providerID: providerID === '' ? undefined : providerID,
    addresses: addresses?.map(({ type, address }) => ({ type, address })),
    providerStatus,
  });
}

type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Only what is there. */
function optional<T extends object>(fields: T): Given<T> {
  const given: Given<T> = { ...fields };
  for (const key in given) if (given[key] === undefined || given[key] === null) delete given[key];
  return given;
}

function parseJson({ contentType, text }: HttpAnswer): Reading<unknown> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    return { kind: 'unusable', why: type === '' ? 'without a content type' : `with ${type} instead of JSON` };
  }
  try {
    return { kind: 'read', value: JSON.parse(text) };
  } catch {
    return { kind: 'unusable', why: 'with a body that is no JSON' };
  }
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'invalid'}`;
}
