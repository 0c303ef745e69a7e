import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../builders/dump.ts';
import { aGuardedCluster, type Rights } from './look/guarded.ts';
import { anOutside, phaseout } from './outside.ts';

const named = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const objects = [named('fleet'), named('shop'), aMachine('worker-1'), aMachine('worker-2')];

const ofMachines = [
  'get list machines.cluster.x-k8s.io',
  'list machinesets.cluster.x-k8s.io',
  'list events',
  'list deletionhooks.phaseout.dev',
];
const all = [...ofMachines, 'get list namespaces'];

/** What the user viewer is told. */
async function as(rights: Rights, ...args: string[]) {
  const { outside, written, folder } = await anOutside();
  const { kubeconfig, asked } = await aGuardedCluster(objects, rights, { folder, name: 'here' });
  const code = await main([...args, '--kubeconfig', kubeconfig], outside);
  return { code, ...written, asked };
}

describe('a namespace that there is not', () => {
  const message = 'phaseout: there is no Namespace "fleeet". Did you mean fleet?\n';

  it.each([
    ['status', ['status', '-n', 'fleeet']],
    ['status --watch', ['status', '--watch', '-n', 'fleeet']],
    ['hooks', ['hooks', '-n', 'fleeet']],
    ['plan', ['plan', 'machine-1', '-n', 'fleeet']],
    ['explain', ['explain', 'fleeet/machine-1']],
  ])('is said by %s', async (_, args) => {
    const { code, stdout, stderr } = await as(all, ...args);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: message });
  });

  it('is no cause to look for the name elsewhere in vain', async () => {
    const { code, stderr } = await as(all, 'plan', 'fleeet/worker-1');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'phaseout: there is no Namespace "fleeet". Did you mean fleet/worker-1 or fleet/worker-2?\n',
    });
  });

  it.each([
    ['status', ['status', '-n', 'fleeet'], 0],
    ['hooks', ['hooks', '-n', 'fleeet'], 0],
  ])('is not said by %s where Namespaces may not be read, and neither is that', async (_, args, expected) => {
    const { code, stdout, stderr } = await as(ofMachines, ...args);
    expect({ code, stderr }).toEqual({ code: expected, stderr: '' });
    expect(stdout).not.toContain('amespaces');
  });

  it('is a missing Machine to who may not read Namespaces', async () => {
    const { code, stderr } = await as(ofMachines, 'plan', 'fleeet/worker-1');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'phaseout: there is no Machine fleeet/worker-1. Did you mean fleet/worker-1 or fleet/worker-2? (of 2 Machines)\n',
    });
  });

  it('is said without names where Namespaces may not be listed', async () => {
    const { stderr } = await as([...ofMachines, 'get namespaces'], 'status', '-n', 'fleeet');
    expect(stderr).toBe('phaseout: there is no Namespace "fleeet"\n');
  });

  it('is one of the manifests where these are given', async () => {
    const { outside, written, folder } = await anOutside();
    const path = await aDump(folder, [aMachine('a'), anAwsMachine('a'), aNode('a')]);
    expect(await main(['status', '-n', 'shop', '--load', path], outside)).toBe(1);
    expect(written.stderr).toBe('phaseout: there is no Namespace "shop" in the manifests\n');
  });
});

test('of a namespace without deletions nothing is wrong', async () => {
  const { code, stderr } = await as(all, 'status', '-n', 'shop');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** A plan of a Machine that is named by its name alone. */
const inContext = async (namespace?: string) => {
  const { outside, written, folder } = await anOutside();
  const { url } = await aGuardedCluster(objects, all, { folder, name: 'here' });
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace } }],
    clusters: [{ name: 'a', cluster: { server: url } }],
    users: [{ name: 'a', user: { token: 'viewer' } }],
  };
  await mkdir(join(folder, '.kube'));
  await writeFile(join(folder, '.kube/config'), JSON.stringify(kubeconfig));
  const env = { ...outside.env, HOME: folder };
  return { code: await main(['plan', 'worker-9'], { ...outside, env }), ...written };
};

describe('a Machine of no namespace', () => {
  it.each([
    ['is of that of the context', 'fleet', 'there is no Machine fleet/worker-9. Did you mean fleet/worker-1'],
    ['is of default where the context has none', undefined, 'there is no Machine default/worker-9'],
  ])('%s', async (_, namespace, message) => {
    const { code, stderr } = await inContext(namespace);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it('is not guessed in an example', async () => {
    const { code, stderr } = await phaseout('plan', 'worker-1', '--example');
    expect(code).toBe(2);
    expect(stderr).toContain('a Machine is named NAMESPACE/NAME, or NAME with -n NAMESPACE, not "worker-1"');
  });

  it('is the one of -n', async () => {
    const { code, lines } = await phaseout('plan', 'worker-1', '-n', 'fleet', '--example');
    expect({ code, first: lines[0] }).toEqual({ code: 0, first: 'Deleting Machine fleet/worker-1' });
  });
});
