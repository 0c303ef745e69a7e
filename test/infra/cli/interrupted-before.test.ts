import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { anOutside } from './outside.ts';

test('what is ended before it serves invites nobody, and says that it was interrupted', async () => {
  const { outside, written, folder, interrupt } = await anOutside();
  interrupt();
  expect(await main(['run', '--serve'], outside)).toBe(130);
  expect(written.stdout).not.toContain('Serving until Ctrl-C.');
  expect(await readdir(folder)).toEqual([]);
});
