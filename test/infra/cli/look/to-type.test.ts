import { expect, it } from 'vitest';
import type { LookSource } from '../../../../infra/cli/look/options.ts';
import { toType } from '../../../../infra/cli/look/to-type.ts';

const cluster = { kind: 'cluster', kubeconfig: undefined, context: undefined } as const;
const workload = { kubeconfig: undefined, context: 'blue' };

it.each<[string, LookSource, string]>([
  ['an example', { kind: 'example', name: 'openshift' }, ' --example openshift'],
  ['the own cluster', cluster, ''],
  [
    'a kubeconfig',
    { ...cluster, kubeconfig: 'my file', context: 'blue' },
    " --kubeconfig 'my file' --context blue",
  ],
  ['a way to the Nodes', { ...cluster, workload }, ' --workload-context blue'],
  [
    'dumps',
    {
      kind: 'manifests',
      paths: ['a.yaml', 'b.yaml'],
      workloads: [{ paths: ['c'] }, { cluster: { namespace: 'fleet', name: 'red' }, paths: ['d', 'e'] }],
    },
    ' --load a.yaml b.yaml --load-workload c --load-workload fleet/red=d e',
  ],
])('a command to copy looks where this one has looked: %s', (_what, source, places) => {
  expect(toType({ env: {} }, ['explain', 'fleet/worker-1'], source)).toBe(
    `phaseout explain fleet/worker-1${places}`,
  );
});
