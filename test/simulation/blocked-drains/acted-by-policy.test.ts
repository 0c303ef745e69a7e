import { describe, expect, test } from 'vitest';
import type { Stage } from '../invariants/stage.ts';
import { podsDeletedByPolicy } from './pods-deleted-by-policy.ts';
import { addPolicy, asked, openRestartStage, podOf, refuse, restart } from './restart-stage.ts';
import { restartedByPolicy } from './restarted-by-policy.ts';

const byBudget = 'Cannot evict pod as it would violate the budget. DisruptionBudget';
const byTwo = 'This pod has more than one PodDisruptionBudget';
const byWebhook = 'admission webhook "vms.example" denied the request';

const acts = {
  Delete(stage: Stage): void {
    const { name, uid } = podOf(stage).metadata;
    stage.ask({ ...asked('delete', 'pods', name), body: { preconditions: { uid } } });
  },
  RolloutRestart: (stage: Stage): void => restart(stage, 'one'),
};

const judges = { Delete: podsDeletedByPolicy, RolloutRestart: restartedByPolicy };

interface Case {
  name: string;
  /** What the API says of an eviction; nothing is refused without. */
  words?: string;
  entry: object;
  seconds: number;
  cries: string[];
}

const never = { cause: 'BudgetNeverAllows' };
const others = { pods: { selector: { matchLabels: { app: 'other' } } } };
const unsaid = 'no DrainPolicy says so';

const cases: readonly Case[] = [
  { name: 'a budget has refused it for long enough', words: byBudget, entry: never, seconds: 60, cries: [] },
  {
    name: 'a budget has that may allow it later',
    words: byBudget,
    entry: { cause: 'BudgetExhausted' },
    seconds: 60,
    cries: [],
  },
  { name: 'two budgets have', words: byTwo, entry: { cause: 'MultipleBudgets' }, seconds: 60, cries: [] },
  { name: 'a webhook has', words: byWebhook, entry: { cause: 'AdmissionWebhook' }, seconds: 60, cries: [] },
  { name: 'it is too early', words: byBudget, entry: never, seconds: 50, cries: ['it is too early'] },
  { name: 'nothing was refused', entry: never, seconds: 60, cries: ['its eviction was never refused'] },
  {
    name: 'the entry is for another cause',
    words: byTwo,
    entry: { cause: 'AdmissionWebhook' },
    seconds: 60,
    cries: [unsaid],
  },
  {
    name: 'the entry is for other Pods',
    words: byBudget,
    entry: { ...never, ...others },
    seconds: 60,
    cries: [unsaid],
  },
];

describe.each(['Delete', 'RolloutRestart'] as const)('%s', (action) => {
  test.each(cases)('where $name', async ({ words, entry, seconds, cries }) => {
    const stage = await openRestartStage(judges[action]);
    addPolicy(stage, [{ after: '60s', action, ...entry }]);
    if (words !== undefined) refuse(stage, words);
    await stage.pass(seconds * 1_000);
    acts[action](stage);
    expect(whyIn(stage.cries)).toEqual(cries);
  });
});

const whyIn = (cries: readonly string[]): (string | undefined)[] => cries.map((cry) => cry.split(': ')[1]);

test('the first entry that fits decides', async () => {
  const stage = await openRestartStage(podsDeletedByPolicy);
  const [cause, after] = ['MultipleBudgets', '0s'];
  addPolicy(stage, [
    { cause, after, action: 'RolloutRestart' },
    { cause, after, action: 'Delete' },
  ]);
  refuse(stage, byTwo);
  acts.Delete(stage);
  expect(whyIn(stage.cries)).toEqual([unsaid]);
});

test('a Pod is deleted without its UID', async () => {
  const stage = await openRestartStage(podsDeletedByPolicy);
  stage.ask({ ...asked('delete', 'pods', 'web-first-1'), body: {} });
  expect(stage.cries).toEqual([
    'instance-1 deletes Pod rollouts/web-first-1 in blue without a UID',
    'instance-1 deletes Pod rollouts/web-first-1 in blue: its eviction was never refused',
  ]);
});
