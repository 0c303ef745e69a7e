import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** A folder that holds nothing but the package, installed from what `npm pack` has made. */
export interface Installed {
  folder: string;
  /** Runs a command of the package there, with this Node; its exit code and what it wrote. */
  start(command: string, args: readonly string[], how?: { node?: string; env?: object }): Promise<Ended>;
  remove(): Promise<void>;
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export async function install(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-npm-'));
  const packed = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
    cwd: root,
  });
  const [, file = ''] = /"filename": "([^"]+)"/.exec(packed.stdout) ?? [];
  await run('npm', ['install', '--offline', '--no-save', '--prefix', folder, join(folder, file)], {
    cwd: folder,
  });
  return {
    folder,
    start: (command, args, { node = process.execPath, env = {} } = {}) =>
      ended(
        run(join(folder, 'node_modules/.bin', command), args, {
          cwd: folder,
          env: { PATH: [dirname(node), process.env['PATH']].join(delimiter), HOME: folder, ...env },
        }),
      ),
    remove: () => rm(folder, { recursive: true }),
  };
}

interface Failed {
  code: unknown;
  stdout: string;
  stderr: string;
}

const isFailed = (error: unknown): error is Failed =>
  error instanceof Error && 'code' in error && 'stdout' in error && 'stderr' in error;

async function ended(running: Promise<{ stdout: string; stderr: string }>): Promise<Ended> {
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    if (!isFailed(error)) throw error;
    return { code: Number(error.code), stdout: error.stdout, stderr: error.stderr };
  }
}
