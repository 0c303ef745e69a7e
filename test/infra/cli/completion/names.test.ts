import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commands } from '../../../../infra/cli/commands.ts';
import { answered } from '../../../../infra/cli/completion/command.ts';
import { listenLocally } from '../../../../infra/local/kubernetes/server/listen.ts';
import { aMachine } from '../../../builders/dump.ts';
import { aGuardedCluster, kubeconfigOf, type Rights } from '../look/guarded.ts';
import { anOutside } from '../outside.ts';

const named = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const objects = [named('fleet'), named('shop'), aMachine('worker-1'), aMachine('worker-2')];
const all = ['list machines.cluster.x-k8s.io', 'list namespaces'];

/** Words for a shell, from a home whose kubeconfig leads to a cluster. */
async function offered(rights: Rights, ...words: string[]) {
  const { outside, folder } = await anOutside();
  const { url, asked } = await aGuardedCluster(objects, rights, { folder, name: 'here' });
  await mkdir(join(folder, '.kube'));
  await writeFile(join(folder, '.kube/config'), kubeconfigOf('prod', url));
  const env = { ...outside.env, HOME: folder };
  return { text: await answered(words, commands, { ...outside, env }), asked };
}

describe('a shell is offered', () => {
  test.each([
    ['Machines', ['plan', ''], 'fleet/worker-1\nfleet/worker-2\n:4\n'],
    ['Machines that begin so', ['release', 'a/b', 'fleet/worker-2'], 'fleet/worker-2\n:4\n'],
    ['Machines of a namespace', ['explain', '-n', 'fleet', 'w'], 'worker-1\nworker-2\n:4\n'],
    ['no Machines of an empty namespace', ['explain', '-n', 'shop', ''], ':4\n'],
    ['namespaces', ['status', '-n', 'sh'], 'shop\n:4\n'],
    ['namespaces behind a sign', ['status', '--namespace=sh'], '--namespace=shop\n:4\n'],
    ['contexts', ['hooks', '--context', ''], 'prod\n:4\n'],
  ])('%s', async (_, words, text) => {
    expect((await offered(all, ...words)).text).toBe(text);
  });

  test('nothing that the user may not list, and no error', async () => {
    expect((await offered([], 'plan', '')).text).toBe(':4\n');
    expect((await offered([], 'status', '-n', '')).text).toBe(':4\n');
  });

  test('contexts without a request, and Machines of one namespace with a list of that', async () => {
    expect((await offered(all, 'plan', '--context', '')).asked).toEqual([]);
    const { asked } = await offered(all, 'plan', 'fleet/');
    expect(asked.filter(({ verb }) => verb === 'list').map(({ namespace }) => namespace)).toEqual(['fleet']);
  });
});

const textAt = async (kubeconfig: string, ...words: string[]) => {
  const { outside, folder } = await anOutside();
  await mkdir(join(folder, '.kube'));
  await writeFile(join(folder, '.kube/config'), kubeconfig);
  return answered(words, commands, { ...outside, env: { HOME: folder } });
};

test.each([
  ['no kubeconfig', '- a'],
  ['a cluster that cannot be reached', kubeconfigOf('a', 'http://127.0.0.1:1')],
])('with %s nothing is offered', async (_, kubeconfig) => {
  expect(await textAt(kubeconfig, 'plan', '')).toBe(':4\n');
});

test('a cluster that does not answer is not waited for', async () => {
  const silent = createServer(() => undefined);
  const server = await listenLocally(silent);
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  expect(await textAt(kubeconfigOf('a', server), 'plan', '')).toBe(':4\n');
});

test('a name that a shell would take apart is not offered', async () => {
  const contexts = ['prod', '$(reboot)', 'two words'].map((name) => ({ name, context: {} }));
  expect(await textAt(JSON.stringify({ contexts }), 'plan', '--context', '')).toBe('prod\n:4\n');
});
