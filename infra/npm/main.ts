import { join } from 'node:path';
import { writeBundle } from './write-bundle.ts';

await writeBundle(join(import.meta.dirname, '../..'), 'dist');
