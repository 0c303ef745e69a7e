import { expect, it } from 'vitest';
import {
  comparisonLines,
  hasOwnController,
  isBeside,
  mustHaveClusterApi,
  variablesFor,
} from '../../../../infra/cli/run/beside.ts';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { beside } from '../../../builders/beside.ts';
import { servedAs } from '../../host/served-as.ts';

const example = { kind: 'example', name: 'capi' } as const;
const cluster = { kind: 'cluster', kubeconfig: 'k', context: undefined } as const;

it.each([
  ['nothing, as it is by default', example, undefined, undefined, 'capi:replace'],
  ['the command line', example, 'beside', undefined, 'capi:beside'],
  ['the command line before the environment', example, 'replace', 'beside', 'capi:replace'],
  ['the environment', example, undefined, 'capi:beside,v1alpha1:replace', 'capi:beside'],
  ['the command line, for all Machine APIs', example, 'observe', undefined, 'observe'],
  ['the environment, for another Machine API', example, undefined, 'openshift:observe', 'openshift:observe'],
  ['nothing about a real cluster', cluster, undefined, undefined, undefined],
  ['the command line about a real cluster', cluster, 'beside', undefined, 'capi:beside'],
  ['the environment about a real cluster', cluster, undefined, 'beside', 'beside'],
] as const)('the mode is what is said by %s', (_where, source, mode, variable, expected) => {
  const env = variable === undefined ? {} : { PHASEOUT_MODE: variable };
  expect(variablesFor({ source, mode }, env)['PHASEOUT_MODE']).toBe(expected);
});

it('has the own controller of the Machine API where phaseout is beside it, or watches it', () => {
  expect(hasOwnController({ PHASEOUT_MODE: 'capi:beside' })).toBe(true);
  expect(hasOwnController({ PHASEOUT_MODE: 'openshift:observe' })).toBe(true);
  expect(hasOwnController({})).toBe(false);
});

it('is beside where the variables say so', () => {
  expect(isBeside({ PHASEOUT_MODE: 'capi:beside' })).toBe(true);
  expect(isBeside({})).toBe(false);
});

const served = (dialect: typeof clusterApi) => ({ machineApis: [servedAs(dialect, 'v1beta2')] });

it('is refused where no Machines of Cluster API are', () => {
  expect(() => mustHaveClusterApi({ machineApis: [] }, 'beside')).toThrow('--mode beside is for Machines');
  expect(() => mustHaveClusterApi(served(beside()), 'beside')).not.toThrow();
  expect(() => mustHaveClusterApi(served(clusterApi), undefined)).not.toThrow();
});

it('is compared in words', () => {
  const machine = 'fleet/worker-1';
  expect(
    comparisonLines([
      { machine, seconds: 22.5, passes: 1 },
      { machine, seconds: undefined, passes: 720 },
    ]),
  ).toEqual([
    '',
    "Cluster API's controller alone, without phaseout (simulated, and without MachineDrainRules):",
    '  fleet/worker-1 is gone after 22.5 s, 1 wait of 20 s',
    '  fleet/worker-1 is there after 4 hours, 720 waits of 20 s',
  ]);
  expect(comparisonLines([])).toEqual([]);
});
