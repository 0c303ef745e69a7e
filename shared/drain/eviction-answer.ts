import * as z from 'zod';
import type { EvictionAnswer, Refusal, RefusalCause } from '../kubernetes/client.ts';
import { believedRetryAfter } from '../kubernetes/errors.ts';

const statusShape = z.object({
  reason: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  details: z
    .object({
      causes: z
        .array(z.object({ reason: z.string().catch(''), message: z.string().catch('') }))
        .nullish()
        .catch(undefined),
      retryAfterSeconds: z.number().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

type Status = z.infer<typeof statusShape>;

/** In Cluster API's words: the API server's own name the namespace. */
export const namespaceTerminating: Refusal = {
  kind: 'refused',
  cause: 'NamespaceTerminating',
  text: 'Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)',
};

/**
 * What an API server's answer to an eviction means. It reads HTTP status, body and Retry-After header (in seconds). The texts
 * are those Cluster API shows. A 404 or 409 only counts as the Pod's absence when the body says so, and no webhook speaks.
 */
export function classifyRefusal(
  code: number,
  body: unknown,
  retryAfter?: string | number | null,
): EvictionAnswer {
  if (code >= 200 && code < 300) return { kind: 'accepted' };
  const status = statusShape.safeParse(body).data ?? {};
  if (denyingWebhook(status.message) !== undefined)
    return withRetryAfter(denied(code, status), status, retryAfter);
  if (code === 404 && status.reason === 'NotFound') return { kind: 'gone' };
  if (code === 409 && /UID in (the )?precondition/.test(status.message ?? '')) return { kind: 'replaced' };
  return withRetryAfter(refusalOf(code, status), status, retryAfter);
}

function refusalOf(code: number, status: Status): Refusal {
  const text = status.message ?? `the server answered ${code}`;
  if (code === 429) return tooManyRequests(status, text);
  if (code === 403 && causesOf(status).some(({ reason }) => reason === 'NamespaceTerminating')) {
    return namespaceTerminating;
  }
  const cause = text.startsWith('This pod has more than one PodDisruptionBudget')
    ? 'MultipleBudgets'
    : 'Failed';
  return { kind: 'refused', cause, text };
}

function tooManyRequests(status: Status, message: string): Refusal {
  const text = withCauses(status, message);
  const budgetCause = causesOf(status).find(({ reason }) => reason === 'DisruptionBudget');
  if (budgetCause === undefined) return { kind: 'refused', cause: 'Throttled', text };
  const cause = budgetCause.message.endsWith('is still being processed by the server.')
    ? 'BudgetNotObserved'
    : 'BudgetExhausted';
  const budget = budgetNamedBy(budgetCause.message);
  return { kind: 'refused', cause, text, ...(budget !== undefined && { budget }) };
}

/** Cluster API adds the causes, and the blank before them, whenever there are details. */
const withCauses = (status: Status, message: string): string =>
  status.details
    ? `${message} ${causesOf(status)
        .map((cause) => cause.message)
        .join(',')}`
    : message;

/**
 * A webhook chooses the status of its denial, and speaks of this one Pod. KubeVirt answers 429 while it moves a virtual
 * machine elsewhere. That is no load of the API server, and a 404 does not mean that the Pod is gone.
 */
const denied = (code: number, status: Status): Refusal => {
  const { message = '' } = status;
  const text = code === 429 ? withCauses(status, message) : message;
  return { kind: 'refused', cause: 'AdmissionWebhook', text };
};

/** The webhook that a text says has denied an eviction; undefined where it says so of none. */
export const denyingWebhook = (text = ''): string | undefined =>
  /admission webhook "(.+?)" denied the request/.exec(text)?.[1];

const causesOf = (status: Status) => status.details?.causes ?? [];

const budgetNamedBy = (text: string): string | undefined =>
  /^The disruption budget (\S+) (?:needs|does not allow|is still being processed)/.exec(text)?.[1];

function withRetryAfter(
  refusal: Refusal,
  status: Status,
  header: string | number | null | undefined,
): Refusal {
  const fromHeader = header === null || header === undefined || header === '' ? Number.NaN : Number(header);
  const seconds = Number.isFinite(fromHeader) ? fromHeader : status.details?.retryAfterSeconds;
  const wanted = believedRetryAfter(seconds);
  return wanted === undefined || wanted === 0 ? refusal : { ...refusal, retryAfterSeconds: wanted };
}

const final: readonly RefusalCause[] = [
  'BudgetNeverAllows',
  'BudgetHeldByOperator',
  'MultipleBudgets',
  'NamespaceTerminating',
];

/** Whether an eviction that is refused so stays refused until somebody changes what refuses it. */
export const isFinalRefusal = ({ cause }: Pick<Refusal, 'cause'>): boolean => final.includes(cause);
