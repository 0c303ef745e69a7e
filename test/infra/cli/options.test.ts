import { describe, expect, it } from 'vitest';
import { readRunOptions } from '../../../infra/cli/options.ts';
import { readPlanOptions } from '../../../infra/cli/plan/options.ts';

const nothing = {
  source: { kind: 'example', name: 'capi' },
  targets: undefined,
  serve: false,
  hooks: [],
  timeoutSeconds: 120,
  json: false,
  timeline: true,
  mode: undefined,
};

describe('the options of run', () => {
  it.each([
    ['nothing means the example fleet', '', {}],
    ['an example may be meant', '--example', {}],
    ['an example may be meant before another option', '--example --serve', { serve: true }],
    ['an example may be chosen', '--example openshift', { source: { kind: 'example', name: 'openshift' } }],
    ['an example may wait for a function', '--example hooks', { source: { kind: 'example', name: 'hooks' } }],
    [
      'a Machine may say of which API it is',
      '--delete v1alpha1:x/1 x/2',
      {
        targets: [
          { api: 'v1alpha1', namespace: 'x', name: '1' },
          { namespace: 'x', name: '2' },
        ],
      },
    ],
    ['a path is loaded', '--load a', { source: { kind: 'manifests', paths: ['a'] } }],
    ['several paths follow one option', '--load a b', { source: { kind: 'manifests', paths: ['a', 'b'] } }],
    [
      'a workload cluster is loaded beside it',
      '--load a --load-workload b c',
      { source: { kind: 'manifests', paths: ['a'], workloads: [{ paths: ['b', 'c'] }] } },
    ],
    [
      'paths go with the Cluster that was named last',
      '--load a --load-workload prod/blue=b c prod/green=./d=e',
      {
        source: {
          kind: 'manifests',
          paths: ['a'],
          workloads: [
            { cluster: { namespace: 'prod', name: 'blue' }, paths: ['b', 'c'] },
            { cluster: { namespace: 'prod', name: 'green' }, paths: ['./d=e'] },
          ],
        },
      },
    ],
    [
      'a path may look a little like a Cluster',
      '--load a --load-workload ./x/y=z x=y',
      { source: { kind: 'manifests', paths: ['a'], workloads: [{ paths: ['./x/y=z', 'x=y'] }] } },
    ],
    [
      'a list ends where the next option begins',
      '--load a b --serve --delete x/1 x/2',
      {
        source: { kind: 'manifests', paths: ['a', 'b'] },
        serve: true,
        targets: [
          { namespace: 'x', name: '1' },
          { namespace: 'x', name: '2' },
        ],
      },
    ],
    [
      'an option may be repeated',
      '--delete x/1 --delete=x/2',
      {
        targets: [
          { namespace: 'x', name: '1' },
          { namespace: 'x', name: '2' },
        ],
      },
    ],
    [
      'the namespace of Machines may be said once',
      '-n x --delete 1 v1alpha1:2 x/3',
      {
        targets: [
          { namespace: 'x', name: '1' },
          { api: 'v1alpha1', namespace: 'x', name: '2' },
          { namespace: 'x', name: '3' },
        ],
      },
    ],
    ['the output may be JSON', '-o json', { json: true }],
    ['the output has a long name', '--output=json', { json: true }],
    ["phaseout may work beside Cluster API's own controller", '--mode beside', { mode: 'beside' }],
    [
      'hooks may have functions that run elsewhere',
      '--hook fleet/a=http://127.0.0.1:8080 storage/b=https://b.example/x?y=z',
      {
        hooks: [
          { hook: 'fleet/a', url: 'http://127.0.0.1:8080/' },
          { hook: 'storage/b', url: 'https://b.example/x?y=z' },
        ],
      },
    ],
    ['there may be less time', '--timeout 5', { timeoutSeconds: 5 }],
    ['no seconds are all the time there is', '--timeout 0', { timeoutSeconds: undefined }],
    [
      'a real cluster takes its time',
      '--kubeconfig k --context c',
      {
        source: { kind: 'cluster', kubeconfig: 'k', context: 'c' },
        timeoutSeconds: undefined,
        timeline: false,
      },
    ],
    [
      'a real cluster may have its timelines shown',
      '--kubeconfig k --timeline',
      {
        source: { kind: 'cluster', kubeconfig: 'k', context: undefined },
        timeoutSeconds: undefined,
      },
    ],
    ['a local one may do without them', '--no-timeline', { timeline: false }],
  ])('%s', (_sentence, line, expected) => {
    expect(readRunOptions(words(line))).toEqual({ ...nothing, ...expected });
  });

  it.each([
    ['an unknown option', '--lod a', "Unknown option '--lod'"],
    ['an unknown letter', '-x', "Unknown option '-x'"],
    ['an argument of nothing', 'fleet/worker-1', 'unexpected argument "fleet/worker-1"'],
    ['an argument after a switch', '--serve x', 'unexpected argument "x"'],
    ['a path that is missing', '--load', "Option '--load <value>' argument missing"],
    ['a value that is missing', '--mode --serve', '--mode takes a value, and "--serve" follows'],
    ['a value that is missing before a letter', '--timeout -h', '--timeout takes a value, and "-h" follows'],
    [
      'a Machine without a namespace',
      '--delete w',
      'a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE, not "w"',
    ],
    [
      'a Machine with too many parts',
      '--delete a/b/c',
      'a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE, not "a/b/c"',
    ],
    [
      'a Machine of an unknown API',
      '--delete aws:a/b',
      'there is no Machine API "aws" (there are capi, openshift, v1alpha1)',
    ],
    [
      'a Machine of two APIs',
      '--delete capi:openshift:a/b',
      'a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE, not "capi:openshift:a/b"',
    ],
    [
      'an API without a Machine',
      '--delete capi:',
      'a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE, not "capi:"',
    ],
    ['a namespace of nothing', '-n x', '--namespace needs --delete'],
    ['an empty namespace', '--namespace= --delete a', '--namespace takes the name of a namespace'],
    ['two namespaces', '-n x --delete y/1', '--namespace says x, and y/1 is of the namespace y'],
    ['two places to look', '--load a --kubeconfig k', '--load and --kubeconfig exclude each other'],
    ['a workload cluster of nothing', '--load-workload a', '--load-workload needs --load'],
    ['a workload cluster of a real one', '--kubeconfig k --load-workload a', '--load-workload needs --load'],
    ['an example and manifests', '--example capi --load a', '--example and --load exclude each other'],
    [
      'an example and a cluster',
      '--kubeconfig k --example openshift',
      '--example and --kubeconfig exclude each other',
    ],
    [
      'an unknown example',
      '--example aws',
      '--example takes one of capi, openshift, v1alpha1, hooks, policies, not "aws"',
    ],
    ['a context of nothing', '--context c', '--context needs --kubeconfig'],
    ['a time that is none', '--timeout soon', '--timeout takes whole seconds, not "soon"'],
    [
      'a mode that is none',
      '--mode observer',
      '--mode takes one of observe, beside, replace, not "observer"',
    ],
    [
      'a controller that is watched, and Nodes that it does not see',
      '--mode observe --load a --load-workload b',
      '--mode observe takes no --load-workload: the controller of Cluster API that is played sees Nodes of its own cluster only',
    ],
    [
      'a controller beside which phaseout does not work',
      '--mode beside --example v1alpha1',
      '--mode beside is for Machines of Cluster API and OpenShift: the example v1alpha1 has none',
    ],
    [
      'a controller that would see no Nodes',
      '--mode beside --load a --load-workload b',
      '--mode beside takes no --load-workload',
    ],
    ['a hook without a function', '--hook fleet/a', '--hook takes NAMESPACE/NAME=URL, not "fleet/a"'],
    ['a hook without a namespace', '--hook a=http://b', '--hook takes NAMESPACE/NAME=URL, not "a=http://b"'],
    [
      'a hook whose function has no address',
      '--hook fleet/a=b:80',
      '--hook fleet/a takes an http or https URL, not "b:80"',
    ],
    ['an output nobody writes', '-o yaml', '--output takes json, not "yaml"'],
  ])('%s is refused', (_what, line, message) => {
    expect(() => readRunOptions(words(line))).toThrow(message);
  });
});

describe('the options of plan', () => {
  const machine = { namespace: 'fleet', name: 'worker-1' };

  it.each([
    ['a Machine of the current context', 'fleet/worker-1', { kind: 'cluster' }],
    ['a Machine of the example', 'fleet/worker-1 --example', { kind: 'example', name: 'capi' }],
    [
      'a Machine of the example as JSON',
      '--example -o json fleet/worker-1',
      { kind: 'example', name: 'capi' },
    ],
    [
      'a Machine before what is loaded',
      'fleet/worker-1 --load a b',
      { kind: 'manifests', paths: ['a', 'b'] },
    ],
    ['a Machine after what is loaded', '--load a b fleet/worker-1', { kind: 'manifests', paths: ['a', 'b'] }],
    [
      'a Machine after a workload cluster',
      '--load a b --load-workload c d fleet/worker-1',
      { kind: 'manifests', paths: ['a', 'b'], workloads: [{ paths: ['c', 'd'] }] },
    ],
    [
      'a Machine after what is loaded beside a workload cluster',
      '--load-workload c d --load a b fleet/worker-1',
      { kind: 'manifests', paths: ['a', 'b'], workloads: [{ paths: ['c', 'd'] }] },
    ],
    [
      'a Machine of another example',
      '--example v1alpha1 fleet/worker-1',
      { kind: 'example', name: 'v1alpha1' },
    ],
    ['a Machine of a namespace', 'worker-1 --example --namespace fleet', { kind: 'example', name: 'capi' }],
    ['a namespace said twice', 'fleet/worker-1 -n fleet', { kind: 'cluster' }],
    ['a Machine of a cluster', '--kubeconfig k fleet/worker-1', { kind: 'cluster', kubeconfig: 'k' }],
  ])('%s', (_sentence, line, source) => {
    expect(readPlanOptions(words(line))).toEqual({
      kind: 'one',
      hasExitCode: false,
      source,
      machine,
      form: line.includes('json') ? 'json' : 'text',
    });
  });

  it.each([
    ['no Machine', '', 'plan needs the NAMESPACE/NAME of a Machine'],
    [
      'an unknown example',
      'a/b --example aws',
      '--example takes one of capi, openshift, v1alpha1, hooks, policies, not "aws"',
    ],
    ['only a path', '--load a', 'plan needs the NAMESPACE/NAME of a Machine'],
    [
      'only the path of a workload cluster',
      '--load a --load-workload b',
      'plan needs the NAMESPACE/NAME of a Machine',
    ],
    ['two namespaces', 'a/b -n c', '--namespace says c, and a/b is of the namespace a'],
    ['an empty namespace', 'b --namespace=', '--namespace takes the name of a namespace'],
    ['two Machines', 'a/b c/d', 'unexpected argument "a/b"'],
    ["run's options", 'a/b --serve', "Unknown option '--serve'"],
    ['a Machine beside many', 'a/b --all', 'unexpected argument "a/b"'],
    ['all of those with labels', '--all -l a=b', '--all and --selector exclude each other'],
    ['a selector without a sense', '-l a==b==c', '--selector: "a==b==c" is no requirement'],
    ['an empty Cluster', '--cluster=', '--cluster takes a value'],
    ['the wide plan of one', 'a/b -o wide', '-o wide is for a plan of many Machines, as of --all'],
  ])('%s is refused', (_what, line, message) => {
    expect(() => readPlanOptions(words(line))).toThrow(message);
  });
});

describe('the options of a plan of many', () => {
  const cluster = { kind: 'cluster' };

  it.each([
    ['all', '--all', {}, 'text'],
    ['all of a namespace', '--all -n fleet -o wide', { namespace: 'fleet' }, 'wide'],
    ['those with labels', '-l a=b,!c', { labelSelector: 'a=b,!c' }, 'text'],
    ['those of a Cluster', '--cluster fleet/blue -o json', { cluster: 'fleet/blue' }, 'json'],
    [
      'those of several',
      '--machine-deployment d --machine-set s',
      { machineDeployment: 'd', machineSet: 's' },
      'text',
    ],
  ])('%s', (_sentence, line, selection, form) => {
    expect(readPlanOptions(words(line))).toEqual({ kind: 'many', source: cluster, selection, form });
  });
});

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');
