import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problemLines, readServerless } from '../serverless/read.ts';
import { isHandWritten, renderRepository } from './repository.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'infra/manifests');

const reading = readServerless(await readFile(join(root, 'serverless.yml'), 'utf8'));
if (reading.kind === 'refused') {
  process.stderr.write(`${problemLines('serverless.yml', reading.problems).join('\n')}\n`);
  process.exitCode = 1;
} else {
  const files = await renderRepository(reading.file);
  for (const path of await rendered()) if (!files.has(path)) await rm(join(folder, path));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The files that exist now, except the README and what is written by hand. */
async function rendered(): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.yaml') && !isHandWritten(name));
}
