import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CannotDo } from '../terminal/usage-error.ts';
import { writeImage } from './write-image.ts';

const usage = `Writes what the image holds besides Node and its compile cache.

  --out DIR    the folder (default: .phaseout/image)
`;

const root = join(import.meta.dirname, '../..');
const folder = folderIn(process.argv.slice(2));
if (folder === undefined) process.stdout.write(usage);
else if (folder instanceof Error) complain(folder, 2);
else await write(resolve(folder));

/** The folder, what is wrong with the command line, or undefined when help is asked for. */
function folderIn(args: string[]): string | Error | undefined {
  try {
    const { values } = parseArgs({ args, options: { out: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.out === '') return new Error('--out takes a folder');
    return values.help === true ? undefined : (values.out ?? '.phaseout/image');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function write(out: string): Promise<void> {
  try {
    const files = await writeImage(root, out);
    process.stdout.write(`${files.map((name) => join(out, name)).join('\n')}\n`);
  } catch (error) {
    if (!(error instanceof CannotDo)) throw error;
    complain(error, 1);
  }
}

function complain({ message }: Error, code: number): void {
  process.stderr.write(`image: ${message}\n`);
  process.exitCode = code;
}
