import { describe, expect, test } from 'vitest';
import { KeptHooks } from '../../../infra/hook/kept-hooks.ts';
import { Unavailable, Unread } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aDeletionHook } from '../../builders/asked.ts';
import { clockOf } from '../../builders/clock.ts';

const deleting: KubeObject = { metadata: { name: 'a', deletionTimestamp: '2026-11-27T11:20:00Z' } };
const living: KubeObject = { metadata: { name: 'b' } };

function aList(list: () => Promise<KubeObject[]>) {
  let now = 0;
  let lists = 0;
  const hooks = new KeptHooks({
    kubernetes: {
      discover: async () => ({ group: 'phaseout.dev', version: 'v1alpha1', plural: 'deletionhooks' }),
      list: async () => {
        lists += 1;
        return { items: await list(), resourceVersion: '1' };
      },
    },
    selection: {},
    clock: clockOf(() => now),
  });
  const pass = (milliseconds: number): void => void (now += milliseconds);
  return { hooks, pass, lists: () => lists };
}

const names = ({ known }: KeptHooks): string[] => known.map(({ metadata }) => metadata.name);

describe('DeletionHooks for a view of many Machines', () => {
  test('are listed once in 30 s, however often the view is drawn', async () => {
    const { hooks, pass, lists } = aList(async () => [aDeletionHook()]);
    await Promise.all([hooks.refresh([deleting]), hooks.refresh([deleting])]);
    pass(29_999);
    await hooks.refresh([deleting]);
    expect({ lists: lists(), names: names(hooks) }).toEqual({ lists: 1, names: ['move-data'] });
    pass(1);
    await hooks.refresh([deleting]);
    expect(lists()).toBe(2);
  });

  test('are not listed while no Machine is being deleted', async () => {
    const { hooks, lists } = aList(async () => [aDeletionHook()]);
    await hooks.refresh([living]);
    expect(lists()).toBe(0);
  });

  test('stand as they were where a list fails, and that is said', async () => {
    let fails = false;
    const { hooks, pass } = aList(async () => {
      if (fails) throw new Unavailable('no answer');
      return [aDeletionHook()];
    });
    await hooks.refresh([deleting]);
    fails = true;
    pass(30_000);
    await hooks.refresh([deleting]);
    expect({ names: names(hooks), unread: hooks.unread }).toEqual({
      names: ['move-data'],
      unread: ['not read: DeletionHooks: no answer'],
    });
    fails = false;
    pass(30_000);
    await hooks.refresh([deleting]);
    expect(hooks.unread).toEqual([]);
  });

  test('that may not be read are said with the words of the look', async () => {
    const { hooks } = aList(async () => {
      throw new Unread('not read: deletionhooks.phaseout.dev: forbidden for me');
    });
    await hooks.refresh([deleting]);
    expect(hooks.unread).toEqual(['not read: deletionhooks.phaseout.dev: forbidden for me']);
  });
});
