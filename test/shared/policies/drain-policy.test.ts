import { describe, expect, test } from 'vitest';
import { isFor, readDrainPolicy, readPolicies, unclearFor } from '../../../shared/policies/drain-policy.ts';
import { aDrainPolicy, aMember } from '../../builders/drain-policy.ts';

const worker = aMember('worker-1');
const controlPlane = { ...worker, isControlPlane: true };
const broken = { selector: { matchExpressions: [{ key: 'pool', operator: 'Nope' }] } };

const why = (spec: object, begun?: object[]): string | undefined => {
  const reading = readDrainPolicy(aDrainPolicy('a', spec, begun));
  return reading.kind === 'unclear' ? reading.why : undefined;
};

describe('a DrainPolicy cannot be read', () => {
  test.each<[what: string, spec: object, why: string]>([
    [
      'with a number that is no limit',
      { maxUnavailable: 0 },
      'DrainPolicy a cannot be read: spec.maxUnavailable: is no limit',
    ],
    [
      'with a percentage above 100',
      { maxUnavailable: '110%' },
      'DrainPolicy a cannot be read: spec.maxUnavailable: is no limit',
    ],
    [
      'with a schedule that is none',
      { windows: [{ schedule: 'soon', timeZone: 'UTC', duration: '1h' }] },
      'DrainPolicy a cannot be read: spec.windows.0.schedule: is no schedule of five fields',
    ],
    [
      'with a duration that is none',
      { windows: [{ schedule: '0 22 * * *', timeZone: 'UTC', duration: 'long' }] },
      'DrainPolicy a cannot be read: spec.windows.0.duration: is no duration',
    ],
    [
      'with a selector that is none',
      { machines: [broken] },
      'invalid selectors in DrainPolicy a: spec.machines[0].selector: Invalid value: {"matchExpressions":[{"key":"pool","operator":"Nope"}]}: "Nope" is not a valid label selector operator',
    ],
  ])('%s', (_what, spec, expected) => {
    expect(why(spec)).toBe(expected);
  });

  test('where its status does not say who has begun', () => {
    expect(why({}, [{ name: 'worker-1' }])).toMatch(/^DrainPolicy a cannot be read: status\.begun\.0\.uid/);
  });
});

describe('one that cannot be read holds the Machines that it may be for', () => {
  const policies = readPolicies([
    aDrainPolicy('a', { machines: [broken] }),
    aDrainPolicy('b', { windows: 'x' }),
  ]);

  test('all where nothing of it is known', () => {
    expect(unclearFor(policies, controlPlane)).toEqual([
      expect.stringMatching(/^DrainPolicy b cannot be read: spec\.windows/),
    ]);
  });

  test('those that its selectors may mean', () => {
    expect(unclearFor(policies, worker)).toHaveLength(2);
  });
});

test.each([
  ['workers', {}, worker, true],
  ['no control plane', {}, controlPlane, false],
  ['the control plane where it says so', { controlPlanes: true }, controlPlane, true],
  ['Machines with its labels', { machines: [{ selector: { matchLabels: { pool: 'web' } } }] }, worker, true],
  ['no others', { machines: [{ selector: { matchLabels: { pool: 'gpu' } } }] }, worker, false],
])('a DrainPolicy is for %s', (_what, spec, machine, expected) => {
  const { policies } = readPolicies([aDrainPolicy('a', spec)]);
  expect(policies.map((policy) => isFor(policy, machine))).toEqual([expected]);
});

test('policies come by name', () => {
  const { policies } = readPolicies([aDrainPolicy('b'), aDrainPolicy('a')]);
  expect(policies.map(({ name }) => name)).toEqual(['a', 'b']);
});
