import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { writeKubeconfigFile } from '../../../infra/cli/run/kubeconfig-file.ts';
import { CannotDo } from '../../../infra/terminal/usage-error.ts';
import { anOutside, phaseout } from './outside.ts';

it('a kubeconfig that cannot be written is said, with the place and the reason', async () => {
  const { folder } = await anOutside();
  await writeFile(join(folder, '.phaseout'), 'a file where the folder should be');
  const writing = writeKubeconfigFile(folder, 'text');
  await expect(writing).rejects.toBeInstanceOf(CannotDo);
  await expect(writing).rejects.toThrow(/^cannot write the kubeconfig: EEXIST: .*\.phaseout/);
});

it('is there as a whole, for its owner only, and goes with the run', async () => {
  const { folder } = await anOutside();
  const file = await writeKubeconfigFile(folder, 'one');
  expect({ path: file.path, isReplacement: file.isReplacement }).toEqual({
    path: '.phaseout/kubeconfig',
    isReplacement: false,
  });
  expect(await readdir(join(folder, '.phaseout'))).toEqual(['kubeconfig']);
  expect((await stat(join(folder, file.path))).mode & 0o777).toBe(0o600);
  await file.remove();
  expect(await readdir(join(folder, '.phaseout'))).toEqual([]);
});

it('of a run that another has taken the place of is not removed by it, nor twice', async () => {
  const { folder } = await anOutside();
  const first = await writeKubeconfigFile(folder, 'one');
  const second = await writeKubeconfigFile(folder, 'two');
  expect(second.isReplacement).toBe(true);
  await first.remove();
  expect(await readFile(join(folder, '.phaseout/kubeconfig'), 'utf8')).toBe('two');
  await second.remove();
  await second.remove();
  expect(await readdir(join(folder, '.phaseout'))).toEqual([]);
});

it('of another run is said to be replaced', async () => {
  const { outside, written, folder, interrupt } = await anOutside();
  await mkdir(join(folder, '.phaseout'));
  await writeFile(join(folder, '.phaseout/kubeconfig'), "another's");
  const running = main(['run', '--serve', '-o', 'json'], outside);
  await vi.waitFor(() => expect(written.stdout).toContain('"serving"'), 10_000);
  interrupt();
  expect(await running).toBe(0);
  expect(written.stdout).toMatch(/"event":"serving".*"kubeconfig":"\.phaseout\/kubeconfig","replaced":true/);
});

async function aKubeconfig(text: string): Promise<string> {
  const { folder } = await anOutside();
  await writeFile(join(folder, 'kubeconfig'), text);
  return join(folder, 'kubeconfig');
}

const config = 'apiVersion: v1\nkind: Config\nclusters: []\n';

describe.each([
  ['run', ['run']],
  ['plan', ['plan', 'fleet/a']],
])('a kubeconfig of no use for %s is said to be', (_command, args) => {
  it.each([
    ['missing', async () => '/nowhere/kubeconfig', 'no such file or directory'],
    ['a folder', async () => tmpdir(), 'illegal operation on a directory'],
    ['empty', () => aKubeconfig(''), 'it is no kubeconfig'],
    [
      'no YAML',
      () => aKubeconfig('a: 1\nb\n'),
      'Implicit map keys need to be followed by map values at line 2, column 1',
    ],
    ['without a context', () => aKubeconfig(config), 'it has no current context'],
    [
      'without the cluster of its context',
      () => aKubeconfig(`${config}current-context: x\n`),
      'the current context "x" names no cluster',
    ],
  ])('%s', async (_what, given, why) => {
    const file = await given();
    expect(await phaseout(...args, '--kubeconfig', file)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `phaseout: --kubeconfig ${file}: ${why}\nTry: phaseout ${args[0]} --help\n`,
    });
  });
});
