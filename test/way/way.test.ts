import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';

const walk = z.object({ before: z.string(), after: z.string(), files: z.array(z.string()) });
const main = join(import.meta.dirname, 'main.ts');

test('one step leads from an eviction that a budget refuses to the condition that says so', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    main,
  ]);
  const { before, after, files } = walk.parse(JSON.parse(stdout));
  expect(before).toContain('shop/cache-');
  expect(after).toContain("cannot evict pod as it would violate the pod's disruption budget");
  expect(files).toContain('functions/drain.ts');
});
