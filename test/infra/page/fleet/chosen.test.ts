import { describe, expect, test } from 'vitest';
import { type Choice, choiceIn, noChoice, searchOf } from '../../../../infra/page/client/fleet/choice.ts';
import { chosen } from '../../../../infra/page/client/fleet/chosen.ts';
import { aDeletedMachine, deletingFleet } from '../../../builders/fleet/deleting.ts';
import { anOverview } from './an-overview.ts';

const choose = (parts: Partial<Choice>): Choice => ({ ...noChoice, ...parts });

describe('the address of an overview', () => {
  test.each<[string, Partial<Choice>]>([
    ['', {}],
    ['?namespace=fleet', { namespace: 'fleet' }],
    ['?cluster=fleet%2Fblue&phase=drain', { cluster: 'fleet/blue', phase: 'drain' }],
    ['?holder=hook+of+a+%26+b+%28c%29&as=rows', { holder: 'hook of a & b (c)', as: 'rows' }],
  ])('%s keeps what was chosen', (search, parts) => {
    expect(choiceIn(search)).toEqual(choose(parts));
    expect(searchOf(choose(parts))).toBe(search);
  });

  test('may have more in it, which is left out', () => {
    expect(searchOf(choiceIn('?x=1&phase=drain&phase=node&as=pie'))).toBe('?phase=drain');
  });
});

const view = anOverview(deletingFleet({ machines: 60, deleting: 30 }), [aDeletedMachine(60)]);
const budgetInBlue = 'PodDisruptionBudget shop/web, in cluster fleet/blue';

describe('what is shown of a fleet', () => {
  test('without filters is all of it, in the groups of status', () => {
    const { deleting, living, gone, groups, options } = chosen(view, noChoice);
    expect([deleting.length, living.length, gone.length]).toEqual([30, 30, 1]);
    expect(groups.map(({ name, machines }) => [name, machines.length])).toEqual([
      ['DrainingNode', 6],
      ['hook of edge-team (move-traffic)', 6],
      ['PodDisruptionBudget shop/web, in cluster edge/red', 2],
      [budgetInBlue, 2],
      ['PodDisruptionBudget shop/web, in cluster fleet/green', 2],
      ['WaitingForInfrastructureDeletion', 6],
      ['WaitingForVolumeDetach', 6],
    ]);
    expect(options.cluster).toEqual(['edge/red', 'fleet/blue', 'fleet/green']);
    expect(options.phase).toEqual(['drain', 'infrastructure', 'pre-drain', 'volume-detach']);
  });

  test.each<[string, Partial<Choice>, number[]]>([
    ['a namespace', { namespace: 'edge' }, [10, 10, 0]],
    ['a cluster', { cluster: 'fleet/blue' }, [10, 10, 1]],
    ['a phase, which only a deletion has', { phase: 'drain' }, [12, 30, 1]],
    ['what holds', { holder: budgetInBlue }, [2, 30, 1]],
    ['several of these', { namespace: 'edge', phase: 'drain' }, [4, 10, 0]],
    ['what no Machine has', { namespace: 'moon' }, [0, 0, 0]],
  ])('by %s', (_what, parts, counts) => {
    const { deleting, living, gone, groups } = chosen(view, choose(parts));
    expect([deleting.length, living.length, gone.length]).toEqual(counts);
    expect(groups.flatMap(({ machines }) => machines)).toHaveLength(deleting.length);
  });

  test('keeps what was chosen as an option, also where no Machine has it any more', () => {
    expect(chosen(view, choose({ namespace: 'moon' })).options.namespace).toEqual(['edge', 'fleet', 'moon']);
  });

  test('is the worst first', () => {
    const states = chosen(view, noChoice).deleting.map(({ standing }) => standing.state);
    expect([states.slice(0, 18), states.slice(18)].map((each) => [...new Set(each)])).toEqual([
      ['held'],
      ['progressing'],
    ]);
  });

  test.each<[string, number, Partial<Choice>, 'rows' | 'cards']>([
    ['few are cards', 8, {}, 'cards'],
    ['more are rows', 9, {}, 'rows'],
    ['few may be rows', 8, { as: 'rows' }, 'rows'],
    ['more may be cards', 9, { as: 'cards' }, 'cards'],
  ])('%s', (_what, deleting, parts, as) => {
    expect(chosen(anOverview(deletingFleet({ machines: 9, deleting })), choose(parts)).as).toBe(as);
  });

  test.each<[string, number, number, Partial<Choice>, boolean]>([
    ['not for three deletions', 5, 3, {}, false],
    ['four deletions', 5, 4, {}, true],
    ['many Machines', 51, 0, {}, true],
    ['a filter that is on', 5, 0, { phase: 'drain' }, true],
  ])('has filters where there is something to choose: %s', (_what, machines, deleting, parts, isMany) => {
    expect(chosen(anOverview(deletingFleet({ machines, deleting })), choose(parts)).isMany).toBe(isMany);
  });
});
