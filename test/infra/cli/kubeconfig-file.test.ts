import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeKubeconfigFile } from '../../../infra/cli/run/kubeconfig-file.ts';
import { CannotDo } from '../../../infra/cli/usage-error.ts';
import { anOutside, phaseout } from './outside.ts';

it('a kubeconfig that cannot be written is said, with the place and the reason', async () => {
  const { folder } = await anOutside();
  await writeFile(join(folder, '.phaseout'), 'a file where the folder should be');
  const writing = writeKubeconfigFile(folder, 'text');
  await expect(writing).rejects.toBeInstanceOf(CannotDo);
  await expect(writing).rejects.toThrow(/^cannot write the kubeconfig: EEXIST: .*\.phaseout/);
});

it('an empty kubeconfig is named as such', async () => {
  const { folder } = await anOutside();
  const file = join(folder, 'empty');
  await writeFile(file, '');
  const { code, stderr } = await phaseout('run', '--kubeconfig', file);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${file}: it is no kubeconfig`),
  });
});
