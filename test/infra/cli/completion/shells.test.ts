import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scripts } from '../../../../infra/cli/completion/scripts.ts';

const source = join(import.meta.dirname, '../../../../infra/cli/phaseout.ts');

/** Two contexts, of a cluster that does not answer. */
const kubeconfig = JSON.stringify({
  'current-context': 'prod',
  contexts: ['prod', 'arn:aws:eks:prod'].map((name) => ({ name, context: { cluster: 'a', user: 'a' } })),
  clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
});

/** A folder with `phaseout` for the PATH, the scripts, and two files whose names begin with d. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/phaseout'), `#!/bin/sh\nexec ${process.execPath} ${source} "$@"\n`);
  chmodSync(join(folder, 'bin/phaseout'), 0o755);
  for (const [shell, script] of Object.entries(scripts)) writeFileSync(join(folder, shell), script);
  mkdirSync(join(folder, '.kube'));
  writeFileSync(join(folder, '.kube/config'), kubeconfig);
  for (const name of ['dump.yaml', 'dump-of-old.yaml']) writeFileSync(join(folder, name), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

function inShell(shell: string, args: readonly string[]) {
  const env = { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter), HOME: folder };
  const { stdout, stderr } = spawnSync(shell, args, { cwd: folder, env, encoding: 'utf8' });
  return { stdout, stderr };
}

/** As bash splits a line: also at the signs = and :. */
const bashWords = (line: string) => line.split(/ +|(?<=[=:])|(?=[=:])/);

/** What bash would put in place of the last word, and whether it would offer files where that is nothing. */
function bash(line: string): { replies: string[]; files: boolean } {
  const words = bashWords(line).map((word) => `'${word}'`);
  const { stdout, stderr } = inShell('bash', [
    '-c',
    [
      `compopt() { echo "no files"; }`,
      `. ./bash`,
      `COMP_LINE='${line}' COMP_POINT=${line.length} COMP_CWORD=${words.length - 1}`,
      `COMP_WORDS=(${words.join(' ')})`,
      `_phaseout`,
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
      `complete -p phaseout`,
    ].join('\n'),
  ]);
  expect(stderr).toBe('');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.pop()).toBe('complete -o default -F _phaseout phaseout');
  return {
    replies: lines.filter((each) => each !== 'no files' && each !== ''),
    files: !lines.includes('no files'),
  };
}

describe('bash', () => {
  test.each<[string, string[], boolean]>([
    ['phaseout pl', ['plan'], false],
    ['phaseout plan --example ', ['capi', 'openshift', 'v1alpha1', 'hooks', 'policies'], false],
    ['phaseout plan --example=', ['capi', 'openshift', 'v1alpha1', 'hooks', 'policies'], false],
    ['phaseout plan --example=o', ['openshift'], false],
    ['phaseout plan --context ', ['prod', 'arn:aws:eks:prod'], false],
    ['phaseout plan --context arn:aws:', ['eks:prod'], false],
    ['phaseout plan fleet/worker-1 --load d', [], true],
    ['phaseout plan capi:fleet/wo', [], false],
  ])('completes %j', (line, replies, files) => {
    expect(bash(line)).toEqual({ replies, files });
  });
});

test.each([
  ['bash', 'done < <(phaseout completion -- "${words[@]:1}" 2>/dev/null)'],
  ['zsh', 'for line in "${(@f)$(phaseout completion -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do'],
  ['fish', 'for line in (phaseout completion -- $words "$last" 2>/dev/null)'],
])('%s asks phaseout itself, with the words up to the one that is typed', (shell, line) => {
  expect(scripts[shell]?.split('\n').map((each) => each.trim())).toContain(line);
});

/** Not every computer has them: what is skipped there is the shell, not the look at its script. */
const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

describe.runIf(isThere('zsh'))('zsh', () => {
  const asked = `
    compdef() { echo "compdef $*"; }
    _files() { echo files; }
    _describe() { print -l -- "\${(@P)2}"; }
    . ./zsh
    words=(phaseout WORDS); CURRENT=$#words; _phaseout`;

  test.each<[string, string[]]>([
    ['pl', ['plan:say what deleting a Machine would do, without doing it']],
    [`plan --example ''`, ['capi', 'openshift', 'v1alpha1', 'hooks', 'policies']],
    ['run --mode=b', ['--mode=beside']],
    ['plan --load d', ['files']],
    ['plan --context p', ['prod']],
  ])('completes %s', (words, expected) => {
    expect(inShell('zsh', ['-fc', asked.replace('WORDS', words)])).toEqual({
      stdout: ['compdef _phaseout phaseout', ...expected, ''].join('\n'),
      stderr: '',
    });
  });
});

describe.runIf(isThere('fish'))('fish', () => {
  test.each<[string, string[]]>([
    ['phaseout pl', ['plan\tsay what deleting a Machine would do, without doing it']],
    ['phaseout plan --example ', ['capi', 'openshift', 'v1alpha1', 'hooks', 'policies']],
    ['phaseout plan --load d', ['dump-of-old.yaml', 'dump.yaml']],
    ['phaseout plan --context p', ['prod']],
    ['phaseout plan --serve d', []],
  ])('completes %j', (line, expected) => {
    const { stdout, stderr } = inShell('fish', ['-c', `source ./fish; complete -C '${line}'`]);
    const lines = stdout.split('\n').filter((each) => each !== '');
    expect({ lines: lines.toSorted(), stderr }).toEqual({ lines: expected, stderr: '' });
  });
});
