import { expect, test } from 'vitest';
import { readConfig } from '../../../shared/runtime/config.ts';
import { dialectsFor } from '../../../shared/runtime/dialects-for.ts';

const capiOf = (env: Record<string, string>) =>
  dialectsFor(readConfig({ PHASEOUT_MACHINE_APIS: 'capi', ...env }))[0];

test('Cluster API is beside its own controller where its mode says so', () => {
  const dialect = capiOf({
    PHASEOUT_MODE: 'beside',
    PHASEOUT_INSTALLATION: 'blue',
    PHASEOUT_LEASE: 'tools/phaseout-blue',
  });
  expect(dialect?.beside?.hooks.PreDrain.name).toBe(
    'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout-blue',
  );
  expect(dialect?.drain.ownNamespace).toBe('tools');
});

test('OpenShift is beside its own controllers where its mode says so, with a hook of the same name', () => {
  const env = { PHASEOUT_MODE: 'beside', PHASEOUT_INSTALLATION: 'blue', PHASEOUT_MACHINE_APIS: 'openshift' };
  const [dialect] = dialectsFor(readConfig(env));
  expect(dialect?.beside?.hooks.PreDrain.name).toBe('phaseout-blue');
  expect(dialect?.phases).toEqual(['pre-drain', 'drain', 'hand-over', 'pre-terminate']);
  expect(dialectsFor(readConfig({ ...env, PHASEOUT_MODE: 'capi:beside' }))[0]?.beside).toBeUndefined();
});

test('Cluster API has no hook of ours in place of its controller', () => {
  expect(capiOf({})?.beside).toBeUndefined();
  expect(capiOf({ PHASEOUT_MODE: 'capi:replace' })?.beside).toBeUndefined();
});

const watched = (mode: string) =>
  dialectsFor(readConfig({ PHASEOUT_MODE: mode }))
    .filter(({ isObserved }) => isObserved === true)
    .map(({ name }) => name);

test('all Machine APIs are only watched where the mode says so, or the one that it names', () => {
  expect(watched('observe')).toEqual(['cluster-api', 'openshift', 'v1alpha1']);
  expect(watched('capi:beside,v1alpha1:observe')).toEqual(['v1alpha1']);
  expect(watched('beside')).toEqual([]);
});

test.each([
  [
    'watch',
    'PHASEOUT_MODE must be one of observe, beside, replace, or one for each Machine API, as capi:beside,v1alpha1:replace, not "watch"',
  ],
  [
    'v1alpha1:beside',
    'PHASEOUT_MODE must not be beside for v1alpha1: only capi, openshift have it, not "v1alpha1:beside"',
  ],
  [
    'capi:beside:x',
    'PHASEOUT_MODE must be one of observe, beside, replace, or one for each Machine API, as capi:beside,v1alpha1:replace, not "capi:beside:x"',
  ],
])('a mode %s is refused', (mode, message) => {
  expect(() => readConfig({ PHASEOUT_MODE: mode })).toThrow(message);
});

test.each([
  ['a=b,c in (d,e),!f', { a: 'b', c: 'e' }, true],
  ['a=b', { a: 'c' }, false],
  ['', {}, true],
])('the selector %j selects Machines with %o: %s', (selector, labels, isSelected) => {
  expect(readConfig({ PHASEOUT_BESIDE_SELECTOR: selector }).besideSelector(labels)).toBe(isSelected);
});

test('a selector that is none is refused', () => {
  expect(() => readConfig({ PHASEOUT_BESIDE_SELECTOR: 'a in b' })).toThrow(
    'PHASEOUT_BESIDE_SELECTOR must be a label selector: "a in b" is no requirement',
  );
});
