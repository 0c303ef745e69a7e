import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerlessFile } from '../../serverless/model.ts';
import { problemLines, readServerless } from '../../serverless/read.ts';
import { fileProblem } from '../../terminal/file-problem.ts';
import { ManifestUnreadable } from '../../terminal/manifests.ts';

const ownFile = fileURLToPath(new URL('../../../serverless.yml', import.meta.url));

/** A serverless.yml, the project's own if none is named. Throws ManifestUnreadable with a line for each mistake in it. */
export async function readServerlessFile(path: string | undefined, folder: string): Promise<ServerlessFile> {
  const shown = path ?? 'serverless.yml';
  const reading = readServerless(await textOf(path === undefined ? ownFile : resolve(folder, path), shown));
  if (reading.kind === 'read') return reading.file;
  throw new ManifestUnreadable(problemLines(shown, reading.problems).join('\n'));
}

async function textOf(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ManifestUnreadable(`${shown}: ${fileProblem(error)}`);
  }
}
