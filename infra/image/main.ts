import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeImage } from './write-image.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { out: { type: 'string', default: '.phaseout/image' } } });
const out = resolve(values.out);
const files = await writeImage(root, out);
process.stdout.write(`${files.map((name) => join(out, name)).join('\n')}\n`);
