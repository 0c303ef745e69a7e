import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';

const walk = z.object({ before: z.string(), after: z.string(), files: z.array(z.string()) });
const main = join(import.meta.dirname, 'main.ts');
const readme = join(import.meta.dirname, '../../shared/README.md');
const table = /\| folder \| files that run \|\n(?:\|.*\n)+/;

/**
 * Two thirds of the 247 files that the same step ran through before they were put together. Three more came with what
 * DrainPolicies do about a refusal.
 */
const mostFiles = 167;

const tableOf = (files: readonly string[]): string =>
  [
    '| folder | files that run |\n|---|---|\n',
    ...[...Map.groupBy(files, dirname)].map(
      ([folder, paths]) => `| \`${folder}\` | ${paths.map((path) => basename(path, '.ts')).join(', ')} |\n`,
    ),
  ].join('');

describe('one step, from an eviction that a budget refuses to the condition that says so', () => {
  let walked: z.infer<typeof walk>;

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      main,
    ]);
    walked = walk.parse(JSON.parse(stdout));
  });

  test('was taken', () => {
    const { before, after, files } = walked;
    expect(before).toContain('shop/cache-');
    expect(after).toContain("cannot evict pod as it would violate the pod's disruption budget");
    expect(files).toContain('functions/drain.ts');
  });

  test('runs through few files', () => {
    expect(walked.files.length).toBeLessThanOrEqual(mostFiles);
  });

  test('runs through the files that the README of the engine lists (UPDATE_WAY=1 rewrites it)', () => {
    const text = readFileSync(readme, 'utf8');
    if (process.env['UPDATE_WAY'] !== undefined)
      writeFileSync(readme, text.replace(table, tableOf(walked.files)));
    expect(readFileSync(readme, 'utf8')).toContain(tableOf(walked.files));
  });
});
