import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

const program = new URL('../../../infra/cli/phaseout.ts', import.meta.url).pathname;

it('serves as a process of its own until it is told to end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, 'run', '--serve'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (written.stdout += String(text)));
  child.stderr.on('data', (text) => (written.stderr += String(text)));
  await vi.waitFor(() => expect(written.stdout).toContain('Serving until Ctrl-C'), 10_000);
  expect(existsSync(join(folder, '.phaseout/kubeconfig'))).toBe(true);

  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(written.stderr).toBe('');
});
