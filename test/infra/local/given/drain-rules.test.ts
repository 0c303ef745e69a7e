import { expect, it } from 'vitest';
import { idleRuleNotes } from '../../../../infra/local/given/drain-rules.ts';
import { aMachine } from '../../../builders/dump.ts';
import { aThing } from './dump.ts';

const rule = (namespace: string, name: string) =>
  aThing('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', namespace, name);

it('names the MachineDrainRules of namespaces that have no Machine', () => {
  const objects = [aMachine('a'), rule('fleet', 'own'), rule('other', 'b'), rule('capi-system', 'a')];
  expect(idleRuleNotes(objects)).toEqual([
    'these MachineDrainRules are without effect, because no Machine given is in their namespaces: capi-system/a, other/b',
  ]);
});

it.each([
  ['each rule is beside a Machine', [aMachine('a'), rule('fleet', 'own')]],
  ['no Machine was given', [rule('other', 'b')]],
  ['the kind is of another group', [aMachine('a'), aThing('example.com/v1', 'MachineDrainRule', 'other')]],
])('says nothing where %s', (_what, objects) => {
  expect(idleRuleNotes(objects)).toEqual([]);
});
