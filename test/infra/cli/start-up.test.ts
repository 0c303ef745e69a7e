import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const program = new URL('../../../infra/cli/phaseout.ts', import.meta.url).pathname;

/** Tells at its end how many files were loaded. */
const counting = `import { registerHooks } from 'node:module';
let files = 0;
registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) files += 1; return next(url, context); } });
process.on('exit', () => process.stderr.write(String(files)));`;

function started(args: string[], env: NodeJS.ProcessEnv = {}) {
  const preload = `data:text/javascript,${encodeURIComponent(counting)}`;
  const given = ['--disable-warning=ExperimentalWarning', '--import', preload, program, ...args];
  const { NODE_COMPILE_CACHE: _, ...inherited } = process.env;
  return spawnSync(process.execPath, given, { encoding: 'utf8', env: { ...inherited, ...env } });
}

test('the list of commands loads none of them', () => {
  const { stdout, stderr } = started(['--help']);
  expect(stdout).toContain('phaseout COMMAND --help');
  expect(Number(stderr)).toBeGreaterThan(5);
  expect(Number(stderr)).toBeLessThan(20);
});

test('what Node makes of the code is kept in the folder of the user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'caches-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(started(['--help'], { XDG_CACHE_HOME: folder }).status).toBe(0);
  expect(readdirSync(join(folder, 'phaseout')).length).toBeGreaterThan(0);
});
