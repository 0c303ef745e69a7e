import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { hookCallSchema } from '../../../../events/hook-call.ts';
import { main } from '../../../../infra/cli/main.ts';
import { deadLetterPath } from '../../../../infra/serverless/dead-letter-path.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { examples } from '../../../events/examples.ts';
import { anOutside } from '../outside.ts';

async function written(...args: string[]) {
  const { outside, written: said, folder } = await anOutside();
  const code = await main(['hook', 'new', ...args], outside);
  return { code, ...said, folder };
}

const read = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8');

describe('phaseout hook new', () => {
  test('writes a function, its test, and what to apply', async () => {
    const { code, stdout, folder } = await written('take-out-osd', '-n', 'fleet');
    expect(code).toBe(0);
    expect((await readdir(join(folder, 'take-out-osd'))).toSorted()).toEqual([
      'Dockerfile',
      'deletion-hook.yaml',
      'function.test.ts',
      'function.ts',
      'main.ts',
      'service.yaml',
      'trigger.yaml',
      'work.ts',
    ]);
    expect(stdout).toContain('  node main.ts                        serves it on 127.0.0.1:8080\n');
    expect(stdout).toContain('it brings the calls of the DeletionHook fleet/take-out-osd.\n');
  });

  test('writes the same in Python', async () => {
    const { code, stdout, folder } = await written('osd', '--language', 'python');
    expect(code).toBe(0);
    expect((await readdir(join(folder, 'osd'))).toSorted()).toEqual([
      'Dockerfile',
      'deletion-hook.yaml',
      'function.py',
      'main.py',
      'service.yaml',
      'test_function.py',
      'trigger.yaml',
      'work.py',
    ]);
    expect(stdout).toContain('  python3 -m unittest                 its own test\n');
  });

  test('names the hook and the namespace in each file, and leaves no placeholder', async () => {
    const { folder } = await written('osd', '-n', 'fleet');
    const files = await readdir(join(folder, 'osd'));
    const texts = await Promise.all(files.map((file) => read(folder, `osd/${file}`)));
    expect(texts.join('\n')).not.toMatch(/my-hook|my-namespace/);
    expect(parse(await read(folder, 'osd/deletion-hook.yaml'))).toMatchObject({
      kind: 'DeletionHook',
      metadata: { name: 'osd', namespace: 'fleet' },
    });
    expect(parse(await read(folder, 'osd/service.yaml'))).toMatchObject({
      kind: 'Service',
      metadata: { name: 'osd', namespace: 'fleet' },
    });
  });

  test('has a Trigger that brings the calls of this hook, and its dead letters to phaseout', async () => {
    const { folder } = await written('osd', '-n', 'fleet');
    const filter = { attributes: { type: 'dev.phaseout.hook.call.v1', hook: 'fleet/osd' } };
    const deadLetter = { service: 'phaseout', path: '/dead-letter' };
    expect(parse(await read(folder, 'osd/trigger.yaml'))).toMatchObject({
      metadata: { name: 'osd', namespace: 'phaseout' },
      spec: {
        broker: 'phaseout',
        filter,
        delivery: {
          retry: 1,
          timeout: 'PT30S',
          deadLetterSink: { ref: { name: 'phaseout' }, uri: deadLetterPath(deadLetter, { filter }) },
        },
        subscriber: { ref: { kind: 'Service', name: 'osd', namespace: 'fleet' } },
      },
    });
  });

  test('leaves a folder alone that has files in it', async () => {
    const { outside, written: said, folder } = await anOutside();
    await mkdir(join(folder, 'osd'));
    await writeFile(join(folder, 'osd/mine'), '');
    expect(await main(['hook', 'new', 'osd'], outside)).toBe(1);
    expect(said.stderr).toBe(
      `phaseout: ${folder}/osd has files in it: choose another name, or move them away\n`,
    );
    expect(await readdir(join(folder, 'osd'))).toEqual(['mine']);
  });

  test.each<[string, string[], string]>([
    ['no name', [], 'hook new needs the name of the DeletionHook'],
    ['two names', ['a', 'b'], 'unexpected argument "b"'],
    [
      'a name that Kubernetes does not take',
      ['Osd'],
      'hook new takes a name of at most 63 lower-case letters, digits and hyphens, not "Osd"',
    ],
    ['a path', ['../osd'], 'hook new takes a name of at most 63 lower-case letters, digits and hyphens'],
    ['a name of 64 letters', ['a'.repeat(64)], 'hook new takes a name of at most 63 lower-case letters'],
    [
      'a namespace that is none',
      ['osd', '-n', 'A b'],
      '--namespace takes a name of at most 63 lower-case letters, digits and hyphens, not "A b"',
    ],
    [
      'another language',
      ['osd', '--language', 'cobol'],
      '--language takes one of typescript, python, not "cobol"',
    ],
  ])('with %s is not understood', async (_what, args, message) => {
    const { code, stderr } = await written(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(`phaseout: ${message}`);
  });
});

/** Runs a program of the folder until the test is over. Resolves with its URL. */
async function started(folder: string, program: string, args: readonly string[], env: object) {
  const child = spawn(program, args, { cwd: folder, env: { PATH: process.env['PATH'], PORT: '0', ...env } });
  onTestFinished(() => ended(child));
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/\S+$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`${program} ended before it listened`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** The body in chunks without its length, as some Brokers send it. */
function postInChunks(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.write(body.slice(0, 10));
    sent.end(body.slice(10));
  });
}

interface Kit {
  language: string;
  program: string;
  start: string[];
  test: string[];
}

/** What holds for the written function, in whichever language. */
function describeKit({ language, program, start, test: ownTest }: Kit): void {
  const env = { PYTHONDONTWRITEBYTECODE: '1' };

  test('passes its own test', async () => {
    const { folder } = await written('osd', '--language', language);
    const { status, stderr } = spawnSync(program, ownTest, {
      cwd: join(folder, 'osd'),
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('keeps to the contract', async () => {
    const { folder } = await written('osd', '--language', language);
    const url = await started(join(folder, 'osd'), program, start, env);
    const { outside, written: said } = await anOutside({ clock: systemClock });
    expect(await main(['hook', 'test', url], outside)).toBe(0);
    expect(said.stdout).toContain('The function keeps to the contract: 13 passed, 0 failed, 1 skipped.');
  });

  test('takes a call in chunks', async () => {
    const { folder } = await written('osd', '--language', language);
    const url = await started(join(folder, 'osd'), program, start, env);
    const { data, answerto } = hookCallSchema.parse(examples['dev.phaseout.hook.call.v1']);
    const headers = { 'ce-type': 'dev.phaseout.hook.call.v1', 'ce-answerto': answerto };
    expect(await postInChunks(url, headers, JSON.stringify(data))).toBe(200);
    expect(await postInChunks(url, { ...headers, 'ce-type': 'other' }, JSON.stringify(data))).toBe(400);
  });

  test('lets no Machine pass in a cluster before its work is written', async () => {
    const { folder } = await written('osd', '--language', language);
    const inCluster = { ...env, KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    const url = await started(join(folder, 'osd'), program, start, inCluster);
    const { outside, written: said } = await anOutside();
    expect(await main(['hook', 'test', url], outside)).toBe(1);
    expect(said.stdout).toContain('answered: Failed: osd has no work yet: write it in work.');
  });
}

describe('the function in TypeScript', () => {
  describeKit({ language: 'typescript', program: process.execPath, start: ['main.ts'], test: ['--test'] });
});

/** Not every computer has it. What is skipped there is the run, not the look at the files. */
const hasPython = spawnSync('python3', ['--version']).error === undefined;

describe.runIf(hasPython)('the function in Python', () => {
  describeKit({
    language: 'python',
    program: 'python3',
    start: ['main.py'],
    test: ['-m', 'unittest'],
  });
});

test.each(['ts', 'py'])(
  'the function in .%s names the types and the token of the contract',
  async (ending) => {
    const { folder } = await written('osd', '--language', ending === 'ts' ? 'typescript' : 'python');
    const text = await read(folder, `osd/function.${ending}`);
    for (const word of [
      'dev.phaseout.hook.call.v1',
      'dev.phaseout.hook.answer.v1',
      'ce-answerto',
      'ce-specversion',
    ])
      expect(text).toContain(word);
  },
);

test('the types of the TypeScript function are those of the contract', async () => {
  const { folder } = await written('osd');
  const [, fields = ''] =
    /export interface Call \{\n([^]*?)\n\}/.exec(await read(folder, 'osd/work.ts')) ?? [];
  const names = [...fields.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(hookCallSchema.shape.data.shape));
});
