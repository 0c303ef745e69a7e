import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { wordsWith } from '../../../infra/local/kubernetes/admission/words.ts';
import { compile } from '../../../infra/local/kubernetes/cel/expression.ts';
import { celValue } from '../../../infra/local/kubernetes/cel/value.ts';
import { readManifests } from '../../../infra/terminal/manifests.ts';
import {
  annotatedHooks,
  hookOf,
  hookOwner,
  releasedAnnotation,
} from '../../../shared/dialects/beside/hook.ts';
import { selectHooks } from '../../../shared/hooks/deletion-hook.ts';

const path = fileURLToPath(new URL('../../../infra/admission/beside-pre-terminate.yaml', import.meta.url));
const [policy, binding, ...more] = (await readManifests([path])).map(({ object }) => object);

const words = wordsWith({ params: 'dyn' }, {});

const { matchConditions, mutations } = z
  .looseObject({
    matchConditions: z.array(z.object({ name: z.string(), expression: z.string() })),
    mutations: z.array(z.looseObject({ applyConfiguration: z.object({ expression: z.string() }) })),
  })
  .parse(policy?.spec);

/** The condition that keeps the policy from a new Machine for a DeletionHook, or `registered`. */
function verdict(metadata: object, spec: object): string {
  const object = celValue({ metadata: { name: 'm', ...metadata } });
  const params = celValue({ metadata: { name: 'wipe' }, spec: { at: 'PreTerminate', ...spec } });
  const failing = matchConditions.find(
    ({ expression }) => compile(words, expression, 'bool').value({ object, params, request: {} }) !== true,
  );
  return failing?.name ?? 'registered';
}

const hook = hookOf('', 'PreTerminate');
const gold = { labels: { tier: 'gold' } };
const selecting = (selector: object) => ({ machines: [{ selector }] });
const matching = (key: string, operator: string, values?: string[]) =>
  selecting({ matchExpressions: [{ key, operator, ...(values && { values }) }] });

describe('a new Machine', () => {
  it.each<[string, object, object, string]>([
    ['gets the hook', gold, {}, 'registered'],
    ['without labels and annotations gets it', {}, {}, 'registered'],
    ['that is released does not', { annotations: { [releasedAnnotation]: '' } }, {}, 'not-released'],
    ['that has a hook of that name keeps it', { annotations: { [hook]: 'me' } }, {}, 'without-the-hook'],
    ['gets it for no DeletionHook before the drain', {}, { at: 'PreDrain' }, 'asks-before-the-end'],
    ['gets it for none that describes others', {}, { setBy: 'Others' }, 'asks-before-the-end'],
    ['with the label gets it', gold, selecting({ matchLabels: { tier: 'gold' } }), 'registered'],
    ['with another label does not', gold, selecting({ matchLabels: { tier: 'tin' } }), 'selected'],
    ['without labels does not', {}, selecting({ matchLabels: { tier: 'gold' } }), 'selected'],
    ['that is in a list gets it', gold, matching('tier', 'In', ['tin', 'gold']), 'registered'],
    ['that is in no list does not', gold, matching('tier', 'In', ['tin']), 'selected'],
    ['that is not in a list gets it', gold, matching('tier', 'NotIn', ['tin']), 'registered'],
    ['without the label is not in a list', {}, matching('tier', 'NotIn', ['gold']), 'registered'],
    ['that is in the list does not', gold, matching('tier', 'NotIn', ['gold']), 'selected'],
    ['whose label exists gets it', gold, matching('tier', 'Exists'), 'registered'],
    ['whose label does not exist does not', {}, matching('tier', 'Exists'), 'selected'],
    ['that must lack the label gets it', {}, matching('tier', 'DoesNotExist'), 'registered'],
    ['that has it then does not', gold, matching('tier', 'DoesNotExist'), 'selected'],
    ['gets it by no operator that nobody knows', gold, matching('tier', 'Is', ['gold']), 'selected'],
    [
      'gets it by any entry',
      gold,
      { machines: [{ clusterSelector: {} }, { selector: { matchLabels: { tier: 'gold' } } }] },
      'registered',
    ],
    ['gets it by no selector of Clusters', gold, { machines: [{ clusterSelector: {} }] }, 'selected'],
    [
      'gets it by no entry that names its Cluster, too',
      gold,
      { machines: [{ selector: {}, clusterSelector: {} }] },
      'selected',
    ],
  ])('%s', (_, metadata, spec, expected) => {
    expect(verdict(metadata, spec)).toBe(expected);
  });

  it.each<[string, string, object, object]>([
    ['of a control plane', 'cluster.x-k8s.io/control-plane', { controlPlanes: true }, {}],
    ['of a MachinePool', 'cluster.x-k8s.io/pool-name', { machinePools: true }, {}],
  ])('%s needs the wish of the DeletionHook and of the installation', (_, label, wish, none) => {
    const metadata = { labels: { [label]: '' } };
    const conditions = matchConditions.filter(({ name }) => !name.startsWith('no-'));
    const of = (spec: object): boolean =>
      conditions.every(
        ({ expression }) =>
          compile(words, expression, 'bool').value({
            object: celValue({ metadata: { name: 'm', ...metadata } }),
            params: celValue({ spec: { at: 'PreTerminate', ...spec } }),
            request: {},
          }) === true,
      );
    expect([of(wish), of(none)]).toEqual([true, false]);
    expect(verdict(metadata, wish)).toMatch(/^no-(control-plane|machine-pool)$/);
  });
});

it.each([
  selecting({ matchLabels: { tier: 'gold' } }),
  matching('tier', 'In', ['gold', 'tin']),
  matching('tier', 'NotIn', ['gold']),
  matching('tier', 'Exists'),
  matching('tier', 'DoesNotExist'),
  {},
])('selects as phaseout does: %j', (spec) => {
  const object = {
    apiVersion: 'phaseout.dev/v1alpha1',
    kind: 'DeletionHook',
    metadata: { name: 'wipe', uid: 'u' },
    spec: { at: 'PreTerminate', ...spec },
  };
  for (const labels of [{}, { tier: 'gold' }, { tier: 'iron' }]) {
    const machine = { labels, clusterLabels: {}, isControlPlane: false };
    const isSelected = selectHooks([object], 'PreTerminate', machine).hooks.length > 0;
    expect(verdict({ labels }, spec) === 'registered').toBe(isSelected);
  }
});

it('the hook and the mark have the names that phaseout knows', () => {
  const { name, counter } = annotatedHooks('').PreTerminate;
  expect(mutations.map(({ applyConfiguration }) => applyConfiguration.expression)).toEqual([
    `Object{metadata: Object.metadata{annotations: { "${name}": "${hookOwner}", "${counter}": "1"}}}`,
  ]);
});

it('no mistake of it keeps a Machine from being made', () => {
  expect(policy?.spec).toMatchObject({
    failurePolicy: 'Ignore',
    paramKind: { apiVersion: 'phaseout.dev/v1alpha1', kind: 'DeletionHook' },
  });
  expect(binding?.spec).toEqual({
    policyName: 'beside-pre-terminate.phaseout.dev',
    paramRef: { selector: {}, parameterNotFoundAction: 'Allow' },
  });
  expect(more).toEqual([]);
});
