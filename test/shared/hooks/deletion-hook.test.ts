import { describe, expect, test } from 'vitest';
import { selectHooks } from '../../../shared/hooks/deletion-hook.ts';
import type { Selectable } from '../../../shared/machine/selection.ts';
import { aDeletionHook } from '../../builders/asked.ts';

const worker: Selectable = {
  labels: { pool: 'storage' },
  clusterLabels: { env: 'prod' },
  isControlPlane: false,
};
const controlPlane: Selectable = { ...worker, isControlPlane: true };
const pooled: Selectable = { ...worker, labels: { ...worker.labels, 'cluster.x-k8s.io/pool-name': 'p' } };
const storage = { selector: { matchLabels: { pool: 'storage' } } };
const gpu = { selector: { matchLabels: { pool: 'gpu' } } };
const prod = { clusterSelector: { matchLabels: { env: 'prod' } } };
const broken = { selector: { matchExpressions: [{ key: 'pool', operator: 'Nope' }] } };

describe('a DeletionHook is for a Machine', () => {
  test.each<[when: string, spec: object, machine: Selectable, isFor: boolean]>([
    ['any worker, without machines', {}, worker, true],
    ['that an entry selects', { machines: [gpu, storage] }, worker, true],
    ['not one that no entry selects', { machines: [gpu] }, worker, false],
    ['of a Cluster that is selected', { machines: [prod] }, worker, true],
    ['only where both selectors match', { machines: [{ ...gpu, ...prod }] }, worker, false],
    ['not one of the control plane', {}, controlPlane, false],
    ['one of the control plane that asks for it', { controlPlanes: true }, controlPlane, true],
    ['not one of a MachinePool', {}, pooled, false],
    ['one of a MachinePool that asks for it', { machinePools: true }, pooled, true],
    ['not at another place', { at: 'PreTerminate' }, worker, false],
    ['where one entry matches and another one is invalid', { machines: [storage, broken] }, worker, true],
  ])('%s', (_when, spec, machine, isFor) => {
    const { hooks, unclear } = selectHooks([aDeletionHook('a', spec)], 'PreDrain', machine);
    expect(hooks.map(({ name }) => name)).toEqual(isFor ? ['a'] : []);
    expect(unclear).toEqual([]);
  });
});

describe('one that cannot be told may be for it', () => {
  test('an invalid selector', () => {
    const { unclear } = selectHooks([aDeletionHook('a', { machines: [broken] })], 'PreDrain', worker);
    expect(unclear).toEqual([
      expect.stringMatching(/^invalid selectors in DeletionHook a: spec\.machines\[0\]\.selector/),
    ]);
  });

  test('a duration that is none', () => {
    const { unclear } = selectHooks([aDeletionHook('a', { every: 'soon' })], 'PreDrain', worker);
    expect(unclear).toEqual(['DeletionHook a cannot be read: spec.every: is no duration']);
  });

  test('but not a Machine that it surely leaves out', () => {
    const hook = aDeletionHook('a', { machines: [broken] });
    expect(selectHooks([hook], 'PreDrain', controlPlane)).toEqual({ hooks: [], unclear: [] });
  });
});

test('the lowest order comes first, then the name', () => {
  const hooks = [
    aDeletionHook('b', { order: 5 }),
    aDeletionHook('a', { order: 5 }),
    aDeletionHook('c', { order: -3 }),
  ];
  expect(selectHooks(hooks, 'PreDrain', worker).hooks.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
});
