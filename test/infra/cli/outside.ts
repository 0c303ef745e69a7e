import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import type { Outside } from '../../../infra/terminal/outside.ts';
import { quickClock } from './quick-clock.ts';

/** What a command wrote and how it can be interrupted. */
export async function anOutside(given: Partial<Outside> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const written = { stdout: '', stderr: '' };
  const interruption = new AbortController();
  const outside: Outside = {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    // Time limits are as quick as the clock: on a busy computer some of them pass, and are warned about.
    env: { PHASEOUT_LOG_LEVEL: 'error' },
    folder,
    clock: quickClock(8),
    random: Math.random,
    interrupted: interruption.signal,
    ...given,
  };
  return { outside, written, folder, interrupt: () => interruption.abort() };
}

/** JSON that was written by what is tested. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- the test says what it expects
export const parsed = <T>(text: string): T => JSON.parse(text) as T;

/** Runs a command line to its end. */
export async function phaseout(...args: string[]) {
  const { outside, written, folder } = await anOutside();
  const code = await main(args, outside);
  return { code, ...written, lines: written.stdout.trimEnd().split('\n'), folder };
}
