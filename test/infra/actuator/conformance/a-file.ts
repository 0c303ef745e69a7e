import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file that is gone after the test. */
export async function aFile(name: string, content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}
