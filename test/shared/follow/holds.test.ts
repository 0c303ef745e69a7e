import { expect, test } from 'vitest';
import { holdsIn, isIn } from '../../../shared/follow/holds.ts';
import type { OnNode, Refused } from '../../../shared/follow/on-node.ts';
import type { Watched } from '../../../shared/follow/watched.ts';

const watched: Watched = {
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'm-1', uid: 'uid-1' },
  carriedBy: 'controller',
  deletedAt: '2026-01-01T00:00:00Z',
  waitsFor: { reason: 'DrainingNode', message: 'Drain not completed yet' },
  acts: { who: 'controller', name: "the API's own controller" },
  state: 'progressing',
  rank: 2,
  phase: 'drain',
  since: '2026-01-01T00:00:03Z',
  givenUp: { afterSeconds: 90, at: '2026-01-01T00:01:33Z', afterwards: 'Pods go with the server' },
};

const refused = (name: string): Refused => ({
  pod: `shop/${name}`,
  uid: `uid-${name}`,
  cause: 'BudgetExhausted',
  message: 'it needs 2 and has 2',
  budget: 'shop/web',
});

const nothing: OnNode = { refused: [], unasked: [], stopping: [], completing: [], unread: [] };

test('all Pods that one budget refuses are in one line, with who has to act', () => {
  const onNode = { ...nothing, refused: [refused('web-1'), refused('web-2')], stopping: ['shop/cache'] };
  expect(holdsIn(watched, onNode)).toEqual([
    'Draining the Node',
    'Pods shop/web-1, shop/web-2: budget shop/web: it needs 2 and has 2',
    'Pods that stop: shop/cache',
    'Has to act: the owner of PodDisruptionBudget shop/web',
    'Since 2026-01-01T00:00:03Z',
    'Given up at 2026-01-01T00:01:33Z: Pods go with the server',
  ]);
});

test.each<[string, Partial<OnNode>, string[]]>([
  ['nothing', {}, ["Has to act: the API's own controller: no Pod has to go any more"]],
  ['Pods that are free to go', { unasked: ['shop/api'] }, ['Pods that are not asked to go yet: shop/api']],
  ['Pods that complete', { completing: ['shop/job'] }, ['Pods that have to complete: shop/job']],
  ['what was not read', { unread: ['it could not be read'] }, ['it could not be read']],
])('where this is left of a drain it is told: %s', (_what, left, lines) => {
  expect(holdsIn(watched, { ...nothing, ...left }).slice(1, -2)).toEqual(lines);
});

test('another wait is told in the words of its controller', () => {
  expect(holdsIn(watched, undefined).slice(0, 2)).toEqual([
    'Drain not completed yet',
    "Has to act: the API's own controller",
  ]);
});

test('a Pod is told where a line has its whole name and the reason', () => {
  const lines = holdsIn(watched, { ...nothing, refused: [refused('web-1'), refused('web-10')] });
  expect(isIn(lines, refused('web-10'))).toBe(true);
  expect(isIn(lines, refused('web-11'))).toBe(false);
  expect(isIn(lines, refused('web'))).toBe(false);
  expect(isIn(lines, { ...refused('web-1'), message: 'it needs 2 and has 1' })).toBe(false);
});
