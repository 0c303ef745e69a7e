import { describe, expect, it } from 'vitest';
import type { BlockedAction, BlockedEntry } from '../../../shared/blocked/entry.ts';
import {
  dueLater,
  dueNow,
  type Outlook,
  prospectOf,
  type Ruled,
  type Tried,
} from '../../../shared/blocked/prospect.ts';
import type { RolloutVerdict } from '../../../shared/blocked/rollout.ts';
import {
  actedText,
  actingPolicy,
  dueText,
  foretoldText,
  prospectText,
} from '../../../shared/blocked/words.ts';
import { pod } from '../../builders/pods.ts';

const since = Date.parse('2026-01-01T10:00:00Z');
const due = since + 600_000;
const web = { namespace: 'shop', name: 'web', uid: 'web-uid', resourceVersion: '7', restartedFor: [] };
const ready: RolloutVerdict = { kind: 'ready', deployment: web };
const unmet: RolloutVerdict = { kind: 'unmet', why: ['Deployment shop/web: it is paused'] };

const ruled = (action: BlockedAction, name = 'shop/web-1'): Ruled => {
  const entry: BlockedEntry = { cause: 'BudgetNeverAllows', after: 600, pods: {}, action, maxReplicas: 1 };
  return { pod: pod(name), policy: 'workers', entry, lasting: { cause: 'BudgetNeverAllows', since } };
};

interface Given {
  action?: BlockedAction;
  granted?: BlockedAction[];
  tried?: Tried;
  rollout?: RolloutVerdict;
  now?: number;
  name?: string;
}

const prospect = ({
  action = 'RolloutRestart',
  granted = ['RolloutRestart', 'Delete'],
  tried,
  rollout,
  now = due,
  name,
}: Given) =>
  prospectOf(ruled(action, name), {
    granted: new Set(granted),
    tried: new Map(tried === undefined ? [] : [[name ?? 'shop/web-1', tried]]),
    rollout,
    now,
  });

describe('an action for a Pod', () => {
  it.each<[string, Given, Outlook, string]>([
    [
      'waits until its cause has lasted',
      { now: due - 1 },
      { kind: 'later', unmet: [] },
      'at 2026-01-01T10:10:00Z its Deployment is restarted, if nothing lets it go before',
    ],
    [
      'is foretold with what keeps it',
      { now: due - 1, rollout: unmet },
      { kind: 'later', unmet: unmet.why },
      'at 2026-01-01T10:10:00Z its Deployment is restarted, if nothing lets it go before; it would not be done now: Deployment shop/web: it is paused',
    ],
    ['is due then', { action: 'Delete' }, { kind: 'due' }, 'it is deleted past its budget now'],
    ['is due where all conditions are met', { rollout: ready }, ready, 'its Deployment is restarted now'],
    [
      'is not due without a read',
      {},
      { kind: 'unmet', why: ['its Deployment was not read'] },
      'its Deployment is not restarted: its Deployment was not read',
    ],
    [
      'says what is unmet',
      { rollout: unmet },
      unmet,
      'its Deployment is not restarted: Deployment shop/web: it is paused',
    ],
    [
      'is not granted',
      { granted: ['Delete'] },
      { kind: 'not-granted' },
      'its Deployment is not restarted: PHASEOUT_ACTIONS does not have rollout-restart',
    ],
    [
      'is not granted either where it deletes',
      { action: 'Delete', granted: [] },
      { kind: 'not-granted' },
      'it is not deleted past its budget: PHASEOUT_ACTIONS does not have delete',
    ],
    [
      'is not tried twice in a look',
      { tried: { kind: 'failed', why: 'it has changed' }, rollout: ready },
      { kind: 'tried', outcome: { kind: 'failed', why: 'it has changed' } },
      'its Deployment is restarted later: it has changed',
    ],
    [
      'is waited for',
      { rollout: { kind: 'running', deployment: web, isOurs: true } },
      { kind: 'running', deployment: web, isOurs: true },
      'Deployment shop/web was restarted, and its new Pod comes up',
    ],
    [
      'waits for another rollout',
      { rollout: { kind: 'running', deployment: web, isOurs: false } },
      { kind: 'running', deployment: web, isOurs: false },
      'Deployment shop/web is rolled out just now, which is waited for',
    ],
    [
      'did not come up',
      { rollout: { kind: 'failed', deployment: web } },
      { kind: 'failed', deployment: web },
      'Deployment shop/web was restarted, and did not come up in time: this is not tried again',
    ],
  ])('%s', (_what, given, outlook, text) => {
    const found = prospect(given);
    expect(found.outlook).toEqual(outlook);
    expect(prospectText(found)).toBe(`Pod shop/web-1: ${text} (DrainPolicy workers, BudgetNeverAllows)`);
  });
});

it.each<[string, Given, string | undefined]>([
  ['its policy does, at its time', { now: due - 1 }, 'workers'],
  ['its policy does not, where it would not be done now', { now: due - 1, rollout: unmet }, undefined],
  ['its policy does now', { action: 'Delete' }, 'workers'],
  ['its policy has done', { action: 'Delete', tried: { kind: 'done' } }, 'workers'],
  [
    'its policy waits for its restart',
    { rollout: { kind: 'running', deployment: web, isOurs: true } },
    'workers',
  ],
  [
    'its policy waits for a rollout',
    { rollout: { kind: 'running', deployment: web, isOurs: false } },
    'workers',
  ],
  [
    'no policy does, where the restart did not come up',
    { rollout: { kind: 'failed', deployment: web } },
    undefined,
  ],
  ['no policy does, where the Pod is still here', { rollout: { kind: 'done', deployment: web } }, undefined],
  ['no policy does, where it could not', { tried: { kind: 'failed', why: 'it has changed' } }, undefined],
  ['no policy does, where a condition is unmet', { rollout: unmet }, undefined],
  ['no policy does without a grant', { granted: [] }, undefined],
])('who acts on the Pod, by the line: %s', (_what, given, policy) => {
  expect(actingPolicy(prospectText(prospect(given)).replace('Pod shop/web-1: ', ''))).toBe(policy);
});

it('before a deletion it is foretold with what it takes', () => {
  expect(foretoldText(prospect({ now: 0, rollout: unmet }))).toBe(
    'its Deployment is restarted once BudgetNeverAllows has kept it for 600 s, if PHASEOUT_ACTIONS has rollout-restart; it would not be done now: Deployment shop/web: it is paused (DrainPolicy workers)',
  );
});

it('of several Pods of one Deployment the first is acted on', () => {
  const both = [prospect({ rollout: ready }), prospect({ rollout: ready, name: 'shop/web-2' })];
  expect(dueNow(both)).toEqual([both[0]]);
});

it('what is not due is not acted on, and says when it is', () => {
  const later = prospect({ now: due - 1 });
  expect(dueNow([later, prospect({ rollout: unmet })])).toEqual([]);
  expect(dueLater([later, prospect({ rollout: unmet })])).toEqual([due]);
});

it('what is done is said with the policy, the cause and its time', () => {
  expect(dueText(prospect({ rollout: ready }))).toBe(
    'Restarting Deployment shop/web, so that Pod shop/web-1 moves: BudgetNeverAllows since 2026-01-01T10:00:00Z, for 600 s and more (DrainPolicy workers)',
  );
  expect(actedText(prospect({ action: 'Delete' }))).toBe(
    'Deleted Pod shop/web-1 past its budget: BudgetNeverAllows since 2026-01-01T10:00:00Z, for 600 s and more (DrainPolicy workers)',
  );
});
