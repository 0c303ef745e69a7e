import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { anOutside, phaseout } from './outside.ts';

describe('the command line', () => {
  it.each([
    ['no argument', [], 'phaseout takes Kubernetes Machines out of service.'],
    ['--help', ['--help'], 'phaseout takes Kubernetes Machines out of service.'],
    ['run --help', ['run', '--help'], 'phaseout run [options]'],
    ['help run', ['help', 'run'], 'phaseout run [options]'],
    ['plan -h', ['plan', '-h'], 'phaseout plan NAMESPACE/NAME [options]'],
    ['help history', ['help', 'history'], 'phaseout history NAMESPACE/NAME | UID [options]'],
    ['--version', ['--version'], '0.1.0'],
  ])('%s is answered on stdout', async (_what, args, first) => {
    const { code, lines, stderr } = await phaseout(...args);
    expect({ code, first: lines[0], stderr }).toEqual({ code: 0, first, stderr: '' });
  });

  it.each([
    ['run', ['0', '1', '2', '130']],
    ['plan', ['0', '4', '5', '1', '2', '130']],
    ['hooks', ['0', '1', '2', '130']],
    ['history', ['0', '1', '2', '3', '130']],
    ['hook', ['0', '1', '2', '130']],
    ['package', ['0', '1', '2']],
    ['deploy', ['0', '1', '2', '130']],
    ['release', ['0', '1', '2', '130']],
    ['remove', ['0', '1', '2', '130']],
    ['completion', ['0', '2']],
  ])('%s --help says what its exit codes mean', async (command, codes) => {
    const { stdout } = await phaseout(command, '--help');
    const [, told = ''] = /Exit code: ([^]*?)\.\n/.exec(stdout) ?? [];
    expect(told.match(/\d+(?= when)/g)).toEqual(codes);
  });

  it.each([
    [
      'an unknown command',
      ['delete'],
      'unknown command "delete" (there are run, plan, status, explain, hooks, history, page, hook, package, deploy, release, remove, completion)',
    ],
    [
      'an unknown option before the command',
      ['--fast'],
      'unknown option "--fast" (there are run, plan, status, explain, hooks, history, page, hook, package, deploy, release, remove, completion)',
    ],
    ['a command that is near', ['stauts'], 'unknown command "stauts". Did you mean status?'],
    ['a command that only begins', ['pa'], 'unknown command "pa". Did you mean page or package?'],
    ['an option of none', ['--versio'], 'unknown option "--versio". Did you mean --version?'],
    ['an option that is near', ['status', '--wach'], "Unknown option '--wach'. Did you mean --watch?"],
    [
      'a value that is near',
      ['plan', 'a/b', '--example', 'opensift'],
      '--example takes one of capi, openshift, v1alpha1, hooks, policies, not "opensift". Did you mean openshift?',
    ],
    [
      'a Machine API that is near',
      ['plan', 'cap:a/b'],
      'there is no Machine API "cap" (there are capi, openshift, v1alpha1). Did you mean capi?',
    ],
    ['an unknown option of run', ['run', '--fast'], "Unknown option '--fast'"],
    ['a plan of nothing', ['plan'], 'plan needs the NAMESPACE/NAME of a Machine'],
    [
      'a folder that is missing',
      ['plan', 'a/b', '--load', '/nowhere'],
      '/nowhere: no such file or directory',
    ],
  ])('%s is refused with code 2', async (_what, args, message) => {
    const { code, stdout, stderr } = await phaseout(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`phaseout: ${message}`);
  });

  it.each([
    ['the command that was typed', ['status', '--wach'], false, 'Try: phaseout status --help'],
    ['all commands, where none is known', ['stauts'], false, 'Try: phaseout --help'],
    ['the plugin, where kubectl is asked', ['status', '--wach'], true, 'Try: kubectl phaseout status --help'],
  ])('the hint at the end names the help of %s', async (_what, args, isPlugin, hint) => {
    const { outside, written } = await anOutside({ isPlugin });
    await main(args, outside);
    expect(written.stderr.trimEnd().split('\n').at(-1)).toBe(hint);
  });

  it.each([
    ['what is no object', 'a: 1', 'bad.yaml:1: apiVersion'],
    ['what no API server would hold', machineWithout('clusterName'), 'spec.clusterName: Required value'],
    ['a name that is none', machine('A_B'), 'Invalid value: "A_B"'],
    [
      'Machines of two versions',
      `${machine('a')}\n---\n${machine('b', 'v1beta1')}`,
      'all Machines of cluster.x-k8s.io must have the same apiVersion (v1beta2 in ',
    ],
    [
      'a Machine of the older version, and who converts it',
      `${machine('a')}\n---\n${machine('b', 'v1beta1')}`,
      'kubectl get machines.v1beta2.cluster.x-k8s.io -A -o yaml',
    ],
    [
      'a number for an annotation',
      'apiVersion: v1\nkind: Node\nmetadata: { name: a, annotations: { size: 1 } }',
      'bad.yaml:1: metadata.annotations.size: must be a text',
    ],
    [
      'an old version of a kind that counts',
      budget('v1beta1'),
      'not known at version policy/v1beta1 (known: policy/v1)',
    ],
    [
      'a version of Machines that nobody knows',
      machine('a', 'v1alpha4'),
      'Machine is not known at version cluster.x-k8s.io/v1alpha4 (known: cluster.x-k8s.io/v1beta2, cluster.x-k8s.io/v1beta1)',
    ],
  ])('names the manifest with %s', async (_what, text, message) => {
    const { outside, written, folder } = await anOutside();
    const path = join(folder, 'bad.yaml');
    await writeFile(path, text);
    const code = await main(['plan', 'fleet/a', '--load', path], outside);
    expect({ code, stdout: written.stdout }).toEqual({ code: 2, stdout: '' });
    expect(written.stderr).toContain(message);
    expect(written.stderr).toContain('bad.yaml');
  });
});

function machine(name: string, version = 'v1beta2'): string {
  return `apiVersion: cluster.x-k8s.io/${version}
kind: Machine
metadata: { name: ${name}, namespace: fleet }
spec:
  clusterName: blue
  bootstrap: { dataSecretName: ${name} }
  infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AWSMachine, name: ${name} }`;
}

function machineWithout(field: string): string {
  return machine('a').replace(new RegExp(`\n *${field}: .*`), '');
}

function budget(version: string): string {
  return `apiVersion: policy/${version}\nkind: PodDisruptionBudget\nmetadata: { name: web, namespace: shop }`;
}
