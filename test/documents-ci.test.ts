import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A machine with these programs, and without apt. */
const bare = mkdtempSync(join(tmpdir(), 'phaseout-ci-'));
for (const name of ['mktemp', 'mkdir', 'rm', 'id']) symlinkSync(`/usr/bin/${name}`, join(bare, name));
afterAll(() => rmSync(bare, { recursive: true }));

describe('.ci/run', () => {
  test('begins with exactly the test command of the README', () => {
    const [, told] = /^Run the tests: `([^`]+)`/m.exec(textOf('README.md')) ?? [];
    const [, , first] = textOf('.ci/run')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe(told);
  });

  test.each([
    ['promtool', 'The tests of the rules need promtool, and it cannot be had here'],
    ['chromium', 'The tests of the page need a chromium, and it cannot be installed here'],
  ])('says what needs %s where it cannot be installed', (program, said) => {
    const { status, stderr } = spawnSync('/bin/bash', [`.ci/${program}`, bare], {
      cwd: root,
      env: { PATH: bare },
      encoding: 'utf8',
    });
    expect({ status, said: stderr.trimEnd().split('\n').at(-1)?.split(':')[0] }).toEqual({ status: 1, said });
  });
});
