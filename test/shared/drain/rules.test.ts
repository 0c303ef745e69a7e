import { expect, test } from 'vitest';
import { readRules } from '../../../shared/drain/rules.ts';
import type { LabelSelector, MachineDrainRule } from '../../../shared/kubernetes/objects.ts';
import { rule } from '../../builders/pods.ts';

const machine = { machineLabels: { role: 'worker' }, clusterLabels: { env: 'prod' } };
const worker: LabelSelector = { matchLabels: { role: 'worker' } };
const control: LabelSelector = { matchLabels: { role: 'control-plane' } };
const prod: LabelSelector = { matchLabels: { env: 'prod' } };
const staging: LabelSelector = { matchLabels: { env: 'staging' } };
const broken: LabelSelector = { matchExpressions: [{ key: 'x', operator: 'Nope' }] };
const drain = { behavior: 'Drain' };

const namesOf = (rules: MachineDrainRule[]): string[] =>
  readRules(rules, machine).rules.map(({ name }) => name);

test('rules are sorted by name in byte order, whatever their order or behaviour', () => {
  const rules = ['a', '9-x', 'Z', '10-x', 'a-b'].map((name) => rule(name, { drain }));
  expect(namesOf(rules)).toEqual(['10-x', '9-x', 'Z', 'a', 'a-b']);
});

type Machines = NonNullable<MachineDrainRule['spec']>['machines'];

test.each<[string, Machines, boolean]>([
  ['without machines it applies to all', undefined, true],
  ['with an empty list of machines it applies to all', [], true],
  ['an empty entry matches', [{}], true],
  ['an empty selector matches', [{ selector: {} }], true],
  ['a selector that matches the Machine', [{ selector: worker }], true],
  ['a selector that does not', [{ selector: control }], false],
  ['a selector that matches the Cluster', [{ clusterSelector: prod }], true],
  ['a cluster selector that does not', [{ clusterSelector: staging }], false],
  ['both must match: they do', [{ selector: worker, clusterSelector: prod }], true],
  ['both must match: one does not', [{ selector: worker, clusterSelector: staging }], false],
  ['entries are alternatives', [{ selector: control }, { clusterSelector: prod }], true],
  [
    'a Machine without the label is matched by NotIn',
    [{ selector: { matchExpressions: [{ key: 'os', operator: 'NotIn', values: ['windows'] }] } }],
    true,
  ],
])('%s', (_, machines, applies) => {
  expect(namesOf([rule('r', { drain, ...(machines && { machines }) })])).toEqual(applies ? ['r'] : []);
});

const nope =
  'Invalid value: {"matchExpressions":[{"key":"x","operator":"Nope"}]}: "Nope" is not a valid label selector operator';
const invalid = 'failed to get Pods for eviction: failed to get matching MachineDrainRules:';

test.each<[string, MachineDrainRule['spec'], string | undefined]>([
  [
    'an invalid pod selector holds a Machine the rule applies to',
    { drain, machines: [{ selector: worker }], pods: [{ selector: broken }] },
    `${invalid} invalid selectors in MachineDrainRule bad: spec.pods[0].selector: ${nope}`,
  ],
  [
    'it does not hold a Machine the rule is not for',
    { drain, machines: [{ selector: control }], pods: [{ selector: broken }] },
    undefined,
  ],
  [
    'an invalid machine selector leaves open whether it applies, so it holds',
    { drain, machines: [{ selector: broken }] },
    `${invalid} invalid selectors in MachineDrainRule bad: spec.machines[0].selector: ${nope}`,
  ],
  [
    'beside a selector that does not match, the invalid one makes no difference',
    { drain, machines: [{ selector: broken, clusterSelector: staging }] },
    undefined,
  ],
  [
    'beside a selector that matches, it leaves it open',
    { drain, machines: [{ selector: broken, clusterSelector: prod }] },
    `${invalid} invalid selectors in MachineDrainRule bad: spec.machines[0].selector: ${nope}`,
  ],
  [
    'beside another entry that matches, the rule applies and is invalid',
    { drain, machines: [{ clusterSelector: broken }, { selector: worker }] },
    `${invalid} invalid selectors in MachineDrainRule bad: spec.machines[0].clusterSelector: ${nope}`,
  ],
  [
    'all errors of a rule are named, in the order of its fields',
    {
      drain,
      machines: [{ selector: broken, clusterSelector: broken }],
      pods: [{ selector: {} }, { selector: broken, namespaceSelector: broken }],
    },
    `${invalid} invalid selectors in MachineDrainRule bad: [spec.machines[0].selector: ${nope}, spec.machines[0].clusterSelector: ${nope}, spec.pods[1].selector: ${nope}, spec.pods[1].namespaceSelector: ${nope}]`,
  ],
])('%s', (_, spec, message) => {
  const reading = readRules([rule('fine', { drain }), rule('bad', spec)], machine);
  expect(reading.rules.map(({ name }) => name)).toEqual(['fine']);
  expect(reading.invalid).toEqual(message === undefined ? undefined : { message, rule: 'bad' });
});

test('several invalid rules are all named', () => {
  const pods = [{ selector: broken }];
  const reading = readRules([rule('b', { drain, pods }), rule('a', { drain, pods })], machine);
  expect(reading.invalid).toEqual({
    message: `${invalid} [invalid selectors in MachineDrainRule a: spec.pods[0].selector: ${nope}, invalid selectors in MachineDrainRule b: spec.pods[0].selector: ${nope}]`,
    rule: 'a',
  });
});

test('a rule without a spec applies, and says nothing a Pod could be drained by', () => {
  expect(readRules([rule('empty', undefined)], machine).rules[0]).toMatchObject({
    name: 'empty',
    behavior: undefined,
  });
});

type Pods = NonNullable<MachineDrainRule['spec']>['pods'];
const web: LabelSelector = { matchLabels: { app: 'web' } };
const shop: LabelSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } };

test.each<[string, Pods, boolean]>([
  ['without pods it selects all', undefined, true],
  ['an empty list of pods selects all', [], true],
  ['the selector sees the labels of the Pod', [{ selector: web }], true],
  ['the namespace selector sees the labels of the namespace', [{ namespaceSelector: shop }], true],
  ['and not the other way round', [{ selector: shop }], false],
  ['both must match', [{ selector: web, namespaceSelector: { matchLabels: { team: 'x' } } }], false],
  ['entries are alternatives', [{ selector: shop }, { selector: web }], true],
])('%s', (_, pods, selected) => {
  const [read] = readRules([rule('r', { drain, ...(pods && { pods }) })], machine).rules;
  expect(read?.selects({ app: 'web' }, { 'kubernetes.io/metadata.name': 'shop' })).toBe(selected);
});
