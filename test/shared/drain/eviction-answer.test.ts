import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classifyRefusal } from '../../../shared/drain/eviction-answer.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';

interface Step {
  request?: { method: string; path: string; body?: { metadata?: { name?: string } } };
  response?: { status: number; headers: Record<string, string>; body?: object };
}

interface Recorded {
  status: number;
  body: object | undefined;
  retryAfter: string | undefined;
}

/** The distinct answers to evictions that a real API server gave. */
function recorded(name: string): Recorded[] {
  const file = new URL(`../../golden/kubernetes/transcripts/${name}.json`, import.meta.url);
  const { steps }: { steps: Step[] } = JSON.parse(readFileSync(file, 'utf8'));
  const evictions = steps.filter(
    ({ request }) => request?.method === 'POST' && request.path.endsWith('/eviction'),
  );
  const answers = evictions.map(({ response }) => ({
    status: response!.status,
    body: response!.body,
    retryAfter: response!.headers['retry-after'],
  }));
  return [...new Map(answers.map((each) => [JSON.stringify(each), each])).values()];
}

const classified = (answers: Recorded[]): EvictionAnswer[] =>
  answers.map(({ status, body, retryAfter }) => classifyRefusal(status, body, retryAfter));

const violates = "Cannot evict pod as it would violate the pod's disruption budget.";
const exhausted = (budget: string, text: string): EvictionAnswer => ({
  kind: 'refused',
  cause: 'BudgetExhausted',
  text: `${violates} The disruption budget ${budget} ${text}`,
  budget,
});
const notObserved = (budget: string): EvictionAnswer => ({
  kind: 'refused',
  cause: 'BudgetNotObserved',
  text: `${violates} The disruption budget ${budget} is still being processed by the server.`,
  budget,
  retryAfterSeconds: 10,
});
const failed = (text: string, parts: { retryAfterSeconds?: number } = {}): EvictionAnswer => ({
  kind: 'refused',
  cause: 'Failed',
  text,
  ...parts,
});
const denied = (text: string, more: object = {}): EvictionAnswer => ({
  kind: 'refused',
  cause: 'AdmissionWebhook',
  text,
  ...more,
});
const twoBudgets: EvictionAnswer = {
  kind: 'refused',
  cause: 'MultipleBudgets',
  text: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
};
const terminatingNamespace: EvictionAnswer = {
  kind: 'refused',
  cause: 'NamespaceTerminating',
  text: 'Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)',
};
const accepted: EvictionAnswer = { kind: 'accepted' };
/** What KubeVirt says for as long as it moves a virtual machine to another Node. */
const evacuation =
  'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: Eviction triggered evacuation of VMI "shop/vm-1"';

test('recorded: without budgets', () => {
  expect(classified(recorded('07-eviction-basic'))).toEqual([
    accepted,
    { kind: 'gone' },
    { kind: 'replaced' },
    failed('name in URL does not match name in Eviction object'),
    failed('the namespace of the provided object does not match the namespace sent on the request'),
    failed(
      'Pod in version "v1" cannot be handled as a Eviction: converting (v1.Pod) to (policy.Eviction): unknown conversion',
    ),
  ]);
});

test('recorded: with budgets whose status is written by hand', () => {
  expect(classified(recorded('07-eviction-pdb'))).toEqual([
    notObserved('a'),
    accepted,
    exhausted('a', 'does not allow evicting pods currently'),
    exhausted(
      'a',
      'does not allow evicting pods currently because it failed sync: found no controllers for pod "a7"',
    ),
    twoBudgets,
    exhausted('ih', 'needs 2 healthy pods and has 1 currently'),
    exhausted('ihb', 'needs 2 healthy pods and has 1 currently'),
    exhausted('aa', 'needs 2 healthy pods and has 2 currently'),
    exhausted('all', 'needs 1 healthy pods and has 1 currently'),
    notObserved('expr'),
  ]);
});

test('recorded: with the disruption controller', () => {
  expect(classified(recorded('07-eviction-pdb-kcm'))).toEqual([
    accepted,
    exhausted('web', 'needs 2 healthy pods and has 2 currently'),
    twoBudgets,
    exhausted('bare', 'does not allow evicting pods currently'),
    exhausted('bare2', 'needs 1 healthy pods and has 1 currently'),
  ]);
});

test('recorded: in a terminating namespace, the Pod there or not', () => {
  expect(classified(recorded('07-eviction-terminating-namespace'))).toEqual([
    terminatingNamespace,
    terminatingNamespace,
  ]);
});

test('recorded beside Cluster API', () => {
  const file = new URL('../../golden/capi/22-eviction-answers.json', import.meta.url);
  const { answers }: { answers: { code: number; body: object }[] } = JSON.parse(readFileSync(file, 'utf8'));
  expect(answers.map(({ code, body }) => classifyRefusal(code, body))).toEqual([
    exhausted('g-evict-yam8', 'needs 2 healthy pods and has 2 currently'),
    twoBudgets,
  ]);
});

const status = (reason: string, message: string, details?: object) => ({
  kind: 'Status',
  reason,
  message,
  details,
});

test.each<[string, number, unknown, string | null | undefined, EvictionAnswer]>([
  [
    'a 429 of the API server itself, told by header',
    429,
    'Too many requests, please try again later.',
    '1',
    { kind: 'refused', cause: 'Throttled', text: 'the server answered 429', retryAfterSeconds: 1 },
  ],
  [
    'a 429 with details but no causes keeps the blank Cluster API leaves',
    429,
    status('TooManyRequests', 'slow down', { retryAfterSeconds: 2 }),
    null,
    { kind: 'refused', cause: 'Throttled', text: 'slow down ', retryAfterSeconds: 2 },
  ],
  [
    'a 429 without details',
    429,
    status('TooManyRequests', 'slow down'),
    undefined,
    { kind: 'refused', cause: 'Throttled', text: 'slow down' },
  ],
  [
    'several causes are joined by commas',
    429,
    status('TooManyRequests', violates, {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: 'The disruption budget a.b-c needs 1 healthy pods and has 0 currently',
        },
        { reason: 'Other', message: 'and more' },
      ],
    }),
    undefined,
    exhausted('a.b-c', 'needs 1 healthy pods and has 0 currently,and more'),
  ],
  [
    'the header counts more than the body',
    429,
    status('TooManyRequests', 'slow down', { retryAfterSeconds: 2 }),
    '7',
    { kind: 'refused', cause: 'Throttled', text: 'slow down ', retryAfterSeconds: 7 },
  ],
  [
    'a Retry-After that is a date is not guessed at',
    429,
    status('TooManyRequests', 'slow down'),
    'Wed, 21 Oct 2026 07:28:00 GMT',
    { kind: 'refused', cause: 'Throttled', text: 'slow down' },
  ],
  [
    'a 404 that is not about an object',
    404,
    '404 page not found',
    undefined,
    failed('the server answered 404'),
  ],
  [
    'a 409 that is not about the UID',
    409,
    status('Conflict', 'the object has been modified'),
    undefined,
    failed('the object has been modified'),
  ],
  [
    'a UID conflict in the words of a delete',
    409,
    status('Conflict', 'Precondition failed: UID in precondition: a, UID in object meta: b'),
    undefined,
    { kind: 'replaced' },
  ],
  [
    'a UID in the text of another status',
    422,
    status('Invalid', 'UID in precondition: must be a string'),
    undefined,
    failed('UID in precondition: must be a string'),
  ],
  [
    'a Retry-After of nothing',
    429,
    status('TooManyRequests', 'slow down'),
    '0',
    { kind: 'refused', cause: 'Throttled', text: 'slow down' },
  ],
  [
    'a 403 of authorization',
    403,
    status('Forbidden', 'pods "a" is forbidden: no'),
    undefined,
    failed('pods "a" is forbidden: no'),
  ],
  [
    'a 504 with a pause',
    504,
    status('Timeout', "couldn't update PodDisruptionBudget due to conflicts", { retryAfterSeconds: 10 }),
    undefined,
    failed("couldn't update PodDisruptionBudget due to conflicts", { retryAfterSeconds: 10 }),
  ],
  ['the last success', 299, undefined, undefined, accepted],
  ['what is no success any more', 300, undefined, undefined, failed('the server answered 300')],
  ['what is no success yet', 199, undefined, undefined, failed('the server answered 199')],
  [
    'a body that speaks of absence under another status',
    500,
    status('NotFound', 'no such backend'),
    undefined,
    failed('no such backend'),
  ],
  [
    'a terminating namespace under another status',
    500,
    status('InternalError', 'oops', { causes: [{ reason: 'NamespaceTerminating', message: 'ns' }] }),
    undefined,
    failed('oops'),
  ],
  [
    'a 403 for a cause of its own',
    403,
    status('Forbidden', 'denied', { causes: [{ reason: 'Other', message: 'no' }] }),
    undefined,
    failed('denied'),
  ],
  [
    'a 429 for a cause that is no budget',
    429,
    status('TooManyRequests', 'slow down', { causes: [{ reason: 'Other', message: 'busy' }] }),
    undefined,
    { kind: 'refused', cause: 'Throttled', text: 'slow down busy' },
  ],
  [
    'a 429 of an admission webhook, which speaks of this Pod alone',
    429,
    status('TooManyRequests', evacuation),
    undefined,
    denied(evacuation),
  ],
  [
    'a 429 of an admission webhook that says when to come again',
    429,
    status('TooManyRequests', 'admission webhook "p" denied the request without explanation', {
      retryAfterSeconds: 5,
    }),
    undefined,
    denied('admission webhook "p" denied the request without explanation ', { retryAfterSeconds: 5 }),
  ],
  [
    'a 403 of an admission webhook',
    403,
    status('Forbidden', 'admission webhook "p" denied the request: not by day'),
    undefined,
    denied('admission webhook "p" denied the request: not by day'),
  ],
  [
    'a 404 of an admission webhook, which does not say that the Pod is gone',
    404,
    status('NotFound', 'admission webhook "p" denied the request: no such tenant'),
    undefined,
    denied('admission webhook "p" denied the request: no such tenant'),
  ],
  [
    'a 409 of an admission webhook, which does not say that the Pod is another one',
    409,
    status('Conflict', 'admission webhook "p" denied the request: the UID in the precondition'),
    undefined,
    denied('admission webhook "p" denied the request: the UID in the precondition'),
  ],
  [
    'a webhook that cannot be reached, which has denied nothing',
    500,
    status('InternalError', 'failed calling webhook "p": connection refused'),
    undefined,
    failed('failed calling webhook "p": connection refused'),
  ],
  [
    'a 429 of the API server that speaks of webhooks',
    429,
    status('TooManyRequests', 'too many requests of admission webhooks'),
    undefined,
    { kind: 'refused', cause: 'Throttled', text: 'too many requests of admission webhooks' },
  ],
  [
    'a budget that is not named in the words of the API server',
    429,
    status('TooManyRequests', violates, {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: 'Rejected: The disruption budget a needs 1 healthy pods and has 0 currently',
        },
      ],
    }),
    undefined,
    {
      kind: 'refused',
      cause: 'BudgetExhausted',
      text: `${violates} Rejected: The disruption budget a needs 1 healthy pods and has 0 currently`,
    },
  ],
  [
    'an empty header leaves the word to the body',
    429,
    status('TooManyRequests', 'slow down', { retryAfterSeconds: 2 }),
    '',
    { kind: 'refused', cause: 'Throttled', text: 'slow down ', retryAfterSeconds: 2 },
  ],
  ['a body that is not JSON', 502, '<html>', undefined, failed('the server answered 502')],
  [
    'a body of the wrong shape',
    500,
    { message: 1, details: { causes: 'x' } },
    undefined,
    failed('the server answered 500'),
  ],
])('%s', (_, code, body, retryAfter, expected) => {
  expect(classifyRefusal(code, body, retryAfter)).toStrictEqual(expected);
});

test('the first code that is no refusal is 200', () => {
  expect(classifyRefusal(200, {})).toEqual({ kind: 'accepted' });
});

test('a conflict that says nothing does not tell that the Pod was replaced', () => {
  expect(classifyRefusal(409, {})).toEqual(failed('the server answered 409'));
});
