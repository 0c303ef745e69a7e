import { expect, it } from 'vitest';
import {
  comparisonLines,
  goingOnIn,
  mustHaveBeside,
  variablesFor,
} from '../../../../infra/cli/run/beside.ts';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { beside } from '../../../builders/beside.ts';
import { servedAs } from '../../host/served-as.ts';

const example = { kind: 'example', name: 'capi' } as const;
const cluster = { kind: 'cluster', kubeconfig: 'k', context: undefined } as const;

it.each([
  ['nothing, as it is by default', example, undefined, undefined, 'replace'],
  ['the command line', example, 'beside', undefined, 'beside'],
  ['the command line before the environment', example, 'replace', 'beside', 'replace'],
  ['the environment', example, undefined, 'capi:beside,v1alpha1:replace', 'capi:beside,v1alpha1:replace'],
  ['the command line, for all Machine APIs', example, 'observe', undefined, 'observe'],
  ['the environment, for another Machine API', example, undefined, 'openshift:observe', 'openshift:observe'],
  ['nothing about a real cluster', cluster, undefined, undefined, undefined],
  ['the command line about a real cluster', cluster, 'beside', undefined, 'beside'],
  ['the environment about a real cluster', cluster, undefined, 'beside', 'beside'],
] as const)('the mode is what is said by %s', (_where, source, mode, variable, expected) => {
  const env = variable === undefined ? {} : { PHASEOUT_MODE: variable };
  expect(variablesFor({ source, mode }, env)['PHASEOUT_MODE']).toBe(expected);
});

it('has the own controllers of the Machine APIs where phaseout is beside them, or watches them', () => {
  expect(goingOnIn({ PHASEOUT_MODE: 'capi:beside' })).toEqual(['capi']);
  expect(goingOnIn({ PHASEOUT_MODE: 'openshift:observe' })).toEqual(['openshift']);
  expect(goingOnIn({ PHASEOUT_MODE: 'beside' })).toEqual(['capi', 'openshift']);
  expect(goingOnIn({})).toEqual([]);
});

const served = (dialect: typeof clusterApi) => ({ machineApis: [servedAs(dialect, 'v1beta2')] });

it('is refused where no Machines are of an API that has it', () => {
  expect(() => mustHaveBeside({ machineApis: [] }, 'beside')).toThrow('--mode beside is for Machines');
  expect(() => mustHaveBeside(served(beside()), 'beside')).not.toThrow();
  expect(() => mustHaveBeside(served(clusterApi), undefined)).not.toThrow();
});

it('is compared in words', () => {
  const machine = 'fleet/worker-1';
  expect(
    comparisonLines([
      { machine, api: 'cluster.x-k8s.io', seconds: 22.5, passes: 1 },
      { machine, api: 'cluster.x-k8s.io', seconds: undefined, passes: 720 },
      { machine: 'openshift-machine-api/m', api: 'machine.openshift.io', seconds: 27.1, passes: 1 },
    ]),
  ).toEqual([
    '',
    "Cluster API's controller alone, without phaseout (simulated, and without MachineDrainRules):",
    '  fleet/worker-1 is gone after 22.5 s, 1 wait of 20 s',
    '  fleet/worker-1 is there after 4 hours, 720 waits of 20 s',
    '',
    "OpenShift's controllers alone, without phaseout (simulated, and without MachineDrainRules):",
    '  openshift-machine-api/m is gone after 27.1 s, 1 drain of 20 s in vain',
  ]);
  expect(comparisonLines([])).toEqual([]);
});
