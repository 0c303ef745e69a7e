import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wayTo } from '../../../../infra/cli/look/kubeconfig.ts';
import { mergedKubeconfig } from '../../../../infra/cli/look/merged-kubeconfig.ts';
import { anOutside } from '../outside.ts';
import { kubeconfigOf } from './guarded.ts';

const own = { kubeconfig: undefined, context: undefined };

async function aHome() {
  const { outside, folder } = await anOutside();
  await mkdir(join(folder, '.kube'));
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const at = (env: Record<string, string>) => ({ ...outside, env });
  return { folder, write, at };
}

describe("the user's own kubeconfig", () => {
  it('is ~/.kube/config', async () => {
    const { folder, write, at } = await aHome();
    await write('.kube/config', kubeconfigOf('home', 'https://home.example'));
    const found = await wayTo(own, at({ HOME: folder }));
    expect(found.getCurrentCluster()?.server).toBe('https://home.example');
  });

  it('is what KUBECONFIG names, and files of it that do not exist are passed over', async () => {
    const { folder, write, at } = await aHome();
    await write('.kube/config', kubeconfigOf('home', 'https://home.example'));
    await write('b', kubeconfigOf('blue', 'https://blue.example'));
    await write('g', kubeconfigOf('green', 'https://green.example'));
    const outside = at({ HOME: folder, KUBECONFIG: 'missing:b:g' });
    expect((await wayTo(own, outside)).getCurrentCluster()?.server).toBe('https://blue.example');
    const green = await wayTo({ ...own, context: 'green' }, outside);
    expect(green.getCurrentCluster()?.server).toBe('https://green.example');
  });

  it.each([
    [
      'no variable and no file',
      { HOME: '/nowhere' },
      'no kubeconfig: KUBECONFIG is not set, and /nowhere/.kube/config does not exist. ' +
        'Name one with --kubeconfig FILE, or look at the example fleet with --example',
    ],
    ['no home', {}, 'no kubeconfig: KUBECONFIG is not set, and HOME is not set.'],
    [
      'a variable that names nothing',
      { HOME: '/nowhere', KUBECONFIG: 'a:b' },
      'no kubeconfig: KUBECONFIG names a, b, which does not exist.',
    ],
  ])('is missed with %s, and the message says where it was looked for', async (_what, env, message) => {
    const { at } = await aHome();
    await expect(wayTo(own, at(env))).rejects.toThrow(message);
  });

  it.each([
    ['a text that is none', '- a', 'it is no kubeconfig'],
    ['a file without contexts', '{}', 'it has no current context'],
    ['a context that is not there', kubeconfigOf('a', 'https://a.example'), 'there is no context "other"'],
  ])('is refused with the name of the file for %s', async (_what, text, message) => {
    const { folder, write, at } = await aHome();
    await write('.kube/config', text);
    const context = message.includes('other') ? 'other' : undefined;
    const looking = wayTo({ ...own, context }, at({ HOME: folder }));
    await expect(looking).rejects.toThrow(`${join(folder, '.kube/config')}: `);
    await expect(looking).rejects.toThrow(message);
  });
});

it('names a context that is near the one that was typed', async () => {
  const { folder, write, at } = await aHome();
  await write('.kube/config', kubeconfigOf('prod', 'https://prod.example'));
  const message = 'there is no context "prodd". Did you mean prod?';
  await expect(wayTo({ ...own, context: 'prodd' }, at({ HOME: folder }))).rejects.toThrow(message);
  const file = { kubeconfig: join(folder, '.kube/config'), context: 'prodd' };
  await expect(wayTo(file, at({}))).rejects.toThrow(message);
});

const merged = (...texts: string[]): unknown =>
  JSON.parse(
    mergedKubeconfig(
      texts.map((text, index) => ({ path: `/${index}/config`, text })),
      undefined,
    ),
  );

describe('several kubeconfigs in one', () => {
  it('have the first entry of each name, and the first current context', () => {
    expect(
      merged(
        'clusters: [{name: a, cluster: {server: "https://first"}}]',
        'current-context: b\nclusters: [{name: a, cluster: {server: "https://second"}}, {name: b}]',
        'current-context: c',
      ),
    ).toMatchObject({
      'current-context': 'b',
      clusters: [{ name: 'a', cluster: { server: 'https://first' } }, { name: 'b' }],
    });
  });

  it('name files from the folder of each, and programs only where they have a folder', () => {
    expect(
      merged(
        'clusters: [{name: a, cluster: {certificate-authority: ca.pem}}]',
        'users: [{name: a, user: {client-key: ../key.pem, tokenFile: /t, exec: {command: aws}}}, ' +
          '{name: b, user: {exec: {command: ./login, args: [x]}}}]',
      ),
    ).toMatchObject({
      clusters: [{ cluster: { 'certificate-authority': '/0/ca.pem' } }],
      users: [
        { user: { 'client-key': '/key.pem', tokenFile: '/t', exec: { command: 'aws' } } },
        { user: { exec: { command: '/1/login', args: ['x'] } } },
      ],
    });
  });
});
