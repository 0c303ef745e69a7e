import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classifyRefusal } from '../../../shared/drain/eviction-answer.ts';
import { drainMessage } from '../../../shared/drain/message.ts';
import { planDrain } from '../../../shared/drain/plan.ts';
import { previewEvictions } from '../../../shared/drain/preview.ts';
import type { Behavior, PodVerdict } from '../../../shared/drain/verdict.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';
import type { KubeObject, Pod, PodDisruptionBudget } from '../../../shared/kubernetes/objects.ts';
import { budget, pod } from '../../builders/pods.ts';
import { goldenMessage } from './golden.ts';

const verdictOn = (subject: Pod, behavior: Behavior = 'Drain', order = 0): PodVerdict => ({
  pod: subject,
  behavior,
  order,
  decidedBy: 'default',
  warnings: [],
});

const preview = (pods: Pod[], budgets: PodDisruptionBudget[]) =>
  previewEvictions(
    planDrain(
      pods.map((each) => verdictOn(each)),
      { records: new Map() },
    ),
    budgets,
  );

const web = { labels: { app: 'web' } };
const status = (disruptionsAllowed: number, currentHealthy: number, desiredHealthy: number) => ({
  observedGeneration: 1,
  disruptionsAllowed,
  currentHealthy,
  desiredHealthy,
  expectedPods: 3,
});
const violates = "Cannot evict pod as it would violate the pod's disruption budget.";
const accepted: EvictionAnswer = { kind: 'accepted' };

test('disruptions are counted down in sorted order, and the healthy ones with them', () => {
  const pods = [
    pod('ns/c', web),
    pod('ns/a', web),
    pod('ns/b', web),
    pod('ns/other'),
    pod('elsewhere/a', web),
  ];
  const refused: EvictionAnswer = {
    kind: 'refused',
    cause: 'BudgetExhausted',
    text: `${violates} The disruption budget web needs 2 healthy pods and has 2 currently`,
    budget: 'web',
  };
  expect([...preview(pods, [budget('web', { status: status(1, 3, 2) })])]).toEqual([
    ['elsewhere/a', accepted],
    ['ns/a', accepted],
    ['ns/b', refused],
    ['ns/c', refused],
    ['ns/other', accepted],
  ]);
});

test('a budget that can never allow one is told from one that is used up', () => {
  const never = budget('web', { spec: { maxUnavailable: 0 }, status: status(0, 3, 3) });
  expect(preview([pod('ns/a', web)], [never]).get('ns/a')).toEqual({
    kind: 'refused',
    cause: 'BudgetNeverAllows',
    text: `${violates} The disruption budget web needs 3 healthy pods and has 3 currently`,
    budget: 'web',
  });
});

test('a budget whose Pod an operator keeps names that operator', () => {
  const one = budget('im', { status: { ...status(0, 1, 1), expectedPods: 1 } });
  const owner = { apiVersion: 'longhorn.io/v1beta2', kind: 'InstanceManager', name: 'im-a' };
  expect(preview([pod('ns/a', { labels: { app: 'im' }, owner })], [one]).get('ns/a')).toEqual({
    kind: 'refused',
    cause: 'BudgetHeldByOperator',
    text: `${violates} The disruption budget im needs 1 healthy pods and has 1 currently`,
    budget: 'im',
    explanation: 'the Pod is kept by InstanceManager im-a of longhorn.io',
  });
});

const closed = status(0, 2, 2);

test.each<[string, Pod, PodDisruptionBudget['status'], boolean]>([
  ['a Ready Pod is guarded', pod('ns/a', web), closed, false],
  [
    'a Pending Pod is not, however unhealthy the others',
    pod('ns/a', { ...web, phase: 'Pending' }),
    status(0, 1, 2),
    true,
  ],
  ['nor is one that has Succeeded', pod('ns/a', { ...web, phase: 'Succeeded' }), status(0, 1, 2), true],
  ['nor is one that has Failed', pod('ns/a', { ...web, phase: 'Failed' }), status(0, 1, 2), true],
  [
    'a Pod that is not Ready is not, while the others are healthy',
    pod('ns/a', { ...web, ready: false }),
    closed,
    true,
  ],
  ['it is, while too few are healthy', pod('ns/a', { ...web, ready: false }), status(0, 1, 2), false],
  ['it is, while none is desired', pod('ns/a', { ...web, ready: false }), status(0, 0, 0), false],
])('%s', (_, subject, numbers, isAccepted) => {
  const answer = preview([subject], [budget('web', { status: numbers })]).get('ns/a');
  expect(answer?.kind).toBe(isAccepted ? 'accepted' : 'refused');
});

test('a budget with an invalid selector, or none, guards nothing', () => {
  const selectors = [{ matchLabels: { 'a b': 'c' } }, undefined];
  const budgets = selectors.map((selector): PodDisruptionBudget => {
    const { selector: _, ...spec } = budget('web').spec ?? {};
    return {
      ...budget('web', { status: status(0, 1, 1) }),
      spec: { ...spec, ...(selector && { selector }) },
    };
  });
  expect(preview([pod('ns/a', web)], budgets).get('ns/a')).toEqual(accepted);
});

test('later orders and Pods that are waited for are not asked about', () => {
  const verdicts = [
    verdictOn(pod('ns/a', web)),
    verdictOn(pod('ns/b', web), 'Drain', 1),
    verdictOn(pod('ns/c', web), 'WaitCompleted'),
  ];
  const answers = previewEvictions(planDrain(verdicts, { records: new Map() }), []);
  expect([...answers.keys()]).toEqual(['ns/a']);
});

test('recorded: the message of a drain that a budget blocks, told beforehand', () => {
  const labels = { app: 'g-pdb-yam8' };
  const names = ['78qks', 'bzvlm', 'd4l6z', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7'];
  const pods = names.map((name) => pod(`bench/g-pdb-yam8-${name}`, { labels }));
  const never = budget('g-pdb-yam8', { spec: { maxUnavailable: 0 }, status: status(0, 10, 10) });
  never.metadata.namespace = 'bench';
  const plan = planDrain(
    pods.map((each) => verdictOn(each)),
    { records: new Map() },
  );
  const answers = previewEvictions(plan, [never]);
  const startedAt = Date.parse('2026-11-20T12:15:02Z');
  expect(drainMessage({ plan, answers, records: new Map(), startedAt })).toBe(
    goldenMessage('20-draining-pdb-blocked.yaml'),
  );
});

interface Step {
  note: string;
  request?: { method: string; path: string; query?: Record<string, string> };
  response?: {
    status: number;
    headers: Record<string, string>;
    body?: KubeObject & { items?: KubeObject[] };
  };
}

interface Foretold {
  note: string;
  previewed: EvictionAnswer;
  answered: EvictionAnswer;
}

/** The world an eviction meets: what a transcript has said of Pods and budgets so far. */
class World {
  readonly #pods = new Map<string, Pod>();
  readonly #budgets = new Map<string, PodDisruptionBudget>();

  hear({ request, response }: Step): void {
    const plural = /\/(pods|poddisruptionbudgets)(\/|$)/.exec(request?.path ?? '')?.[1];
    if (plural === undefined || !response?.body || response.status >= 300) return;
    const known: Map<string, KubeObject> = plural === 'pods' ? this.#pods : this.#budgets;
    for (const object of response.body.items ?? [response.body]) {
      if (object.metadata.uid) known.set(object.metadata.name, object);
    }
    // The answer to a deleted Pod is the Pod, terminating; a budget is gone at once.
    if (request?.method === 'DELETE') this.#budgets.delete(request.path.split('/').at(-1) ?? '');
  }

  eviction({ note, request, response }: Step): Foretold | undefined {
    const [, name = ''] = /\/pods\/([^/]+)\/eviction$/.exec(request?.path ?? '') ?? [];
    const evicted = this.#pods.get(name);
    if (evicted?.metadata.uid === undefined || !response) return undefined;
    // A terminating Pod is not evicted again: there is nothing to foretell, and the API says yes.
    const previewed = preview([evicted], [...this.#budgets.values()]).get(evicted.metadata.uid) ?? accepted;
    return {
      note,
      previewed,
      answered: classifyRefusal(response.status, response.body, response.headers['retry-after']),
    };
  }

  /** What follows from a granted eviction before anything is read again. */
  evict(path: string): void {
    const evicted = this.#pods.get(path.split('/').at(-2) ?? '');
    if (evicted) evicted.metadata.deletionTimestamp = '2026-11-20T12:00:00Z';
    const name = evicted?.metadata.labels?.app ?? '';
    const guard = this.#budgets.get(name);
    if (!guard?.status?.disruptionsAllowed) return;
    guard.status.disruptionsAllowed -= 1;
    guard.status.currentHealthy! -= 1;
  }
}

function foretell(file: string): Foretold[] {
  const url = new URL(`../../golden/kubernetes/transcripts/${file}.json`, import.meta.url);
  const { steps }: { steps: Step[] } = JSON.parse(readFileSync(url, 'utf8'));
  const world = new World();
  return steps.flatMap((step) => {
    const foretold = world.eviction(step);
    if (foretold === undefined) world.hear(step);
    const isDone = step.response?.status === 201 && step.request?.query?.dryRun === undefined;
    if (foretold && isDone) world.evict(step.request!.path);
    return foretold ?? [];
  });
}

/** Whether a budget can ever allow one, and why not, is more than the API's answer says. */
function asAnswered(answer: EvictionAnswer): EvictionAnswer {
  if (answer.kind !== 'refused' || answer.cause !== 'BudgetNeverAllows') return answer;
  const { explanation: _, ...said } = answer;
  return { ...said, cause: 'BudgetExhausted' };
}

test.each([
  ['07-eviction-pdb', 27],
  ['07-eviction-pdb-kcm', 8],
])('recorded: foretells what the API server answered in %s', (file, count) => {
  const foretold = foretell(file);
  expect(foretold.map(({ note, previewed }) => ({ note, answer: asAnswered(previewed) }))).toEqual(
    foretold.map(({ note, answered }) => ({ note, answer: answered })),
  );
  expect(foretold.length).toBe(count);
});

test('a disruption that was granted uses a budget up, whatever its other numbers say', () => {
  const odd = budget('web', { spec: { maxUnavailable: 0 }, status: status(1, 3, 3) });
  const answers = preview([pod('ns/a', web), pod('ns/b', web)], [odd]);
  expect(answers.get('ns/a')).toEqual(accepted);
  expect(answers.get('ns/b')).toMatchObject({ kind: 'refused', cause: 'BudgetExhausted' });
});

test('a budget that says nothing of itself guards nothing', () => {
  const unknown = { metadata: { namespace: 'ns', name: 'web' } };
  expect(preview([pod('ns/a', web)], [unknown]).get('ns/a')).toEqual(accepted);
});

const unsynced = {
  type: 'DisruptionAllowed',
  status: 'False',
  reason: 'SyncFailed',
  message: 'no scale',
} as const;

test.each<[what: string, budget: PodDisruptionBudget, text: string]>([
  [
    'nobody has counted for yet',
    { metadata: { namespace: 'ns', name: 'web' }, spec: { selector: {} } },
    'The disruption budget web needs 0 healthy pods and has 0 currently',
  ],
  [
    'allows none though enough are healthy',
    budget('web', { status: status(0, 3, 2) }),
    'The disruption budget web does not allow evicting pods currently',
  ],
  [
    'could not be followed',
    budget('web', {
      status: {
        ...status(0, 3, 2),
        conditions: [unsynced],
      },
    }),
    'The disruption budget web does not allow evicting pods currently because it failed sync: no scale',
  ],
  [
    'could not be followed, and nobody says why',
    budget('web', {
      status: {
        ...status(0, 3, 2),
        conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed' }],
      },
    }),
    'The disruption budget web does not allow evicting pods currently because it failed sync: ',
  ],
  [
    'could not be followed, whatever it counted before',
    budget('web', {
      status: {
        ...status(0, 1, 2),
        conditions: [unsynced],
      },
    }),
    'The disruption budget web does not allow evicting pods currently because it failed sync: no scale',
  ],
  [
    'could be followed again',
    budget('web', {
      status: {
        ...status(0, 3, 2),
        conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SyncFailed' }],
      },
    }),
    'The disruption budget web does not allow evicting pods currently',
  ],
  [
    'failed in another respect',
    budget('web', {
      status: { ...status(0, 3, 2), conditions: [{ type: 'Other', status: 'False', reason: 'SyncFailed' }] },
    }),
    'The disruption budget web does not allow evicting pods currently',
  ],
])('a budget that %s says so', (_what, given, text) => {
  expect(preview([pod('ns/a', web)], [given]).get('ns/a')).toMatchObject({ text: `${violates} ${text}` });
});

test('a budget that was never computed, because that fails, is answered as the API does and never allows', () => {
  const unseen = budget('web', { status: { observedGeneration: 0, conditions: [unsynced] } });
  expect(preview([pod('ns/a', web)], [unseen]).get('ns/a')).toEqual({
    kind: 'refused',
    cause: 'BudgetNeverAllows',
    text: `${violates} The disruption budget web is still being processed by the server.`,
    budget: 'web',
    explanation: 'it allows nothing until somebody changes what its controller fails on: no scale',
    retryAfterSeconds: 10,
  });
});
