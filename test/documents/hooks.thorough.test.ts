import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { main } from '../../infra/cli/main.ts';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import { resourceOf } from '../../shared/dialects/dialect.ts';
import { anOutside } from '../infra/cli/outside.ts';
import { quickClock } from '../infra/cli/quick-clock.ts';
import { read } from './markdown.ts';

/** Each line of the page for the shell. */
const typed = [...read('infra/hooks.md').matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

const lines = {
  write: 'npm run phaseout -- hook new take-out-osd --language typescript -n fleet',
  serve: 'cd take-out-osd && node --test && node main.ts',
  test: 'npm run phaseout -- hook test http://127.0.0.1:8080',
  start: 'npm start -- --serve --hook fleet/take-out-osd=http://127.0.0.1:8080',
  look: 'export KUBECONFIG=.phaseout/kubeconfig',
  apply: 'kubectl apply -f take-out-osd/deletion-hook.yaml',
  delete: 'kubectl -n fleet delete machine worker-2 --wait=false',
  explain: 'npm run phaseout -- explain fleet/worker-2',
} as const;

const wordsOf = (line: string, url = ''): string[] =>
  line
    .replace('http://127.0.0.1:8080', url)
    .split(' ')
    .slice(line.startsWith('npm start') ? 3 : 4);

const longestMilliseconds = 60_000;

/** The function as the page starts it, on a port of its own. */
async function functionIn(folder: string): Promise<string> {
  const line = lines.serve.replaceAll('node ', `${process.execPath} `);
  const env = { PATH: process.env['PATH'], PORT: '0' };
  const child = spawn(
    'sh',
    ['-c', line.replace(`&& ${process.execPath} main`, `&& exec ${process.execPath} main`)],
    {
      cwd: folder,
      env,
    },
  );
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    if (child.kill('SIGKILL')) await gone;
  });
  for await (const told of createInterface(child.stdout)) {
    const [url] = /http:\/\/\S+$/.exec(told) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the function ended before it listened');
}

test('the first lines of the page are those that are played here', () => {
  expect(typed.slice(0, 8)).toEqual(Object.values(lines));
});

test('they lead from nothing to a Machine that waits for the function, and goes on when it is done', async () => {
  const { outside, written, folder, interrupt } = await anOutside({ clock: quickClock(8) });
  expect(await main(wordsOf(lines.write), outside)).toBe(0);
  const url = await functionIn(folder);
  expect(await main(wordsOf(lines.test, url), outside)).toBe(0);

  const ended = main(['run', ...wordsOf(lines.start, url)], outside);
  const untilTold = (text: string) =>
    vi.waitFor(() => expect(written.stdout).toContain(text), longestMilliseconds);
  await untilTold('Serving until Ctrl-C');
  const kubeconfig = join(folder, '.phaseout/kubeconfig');
  const kubernetes = connect(loadKubeConfig({ file: kubeconfig }), { clock: quickClock(1) });
  onTestFinished(() => kubernetes.close());
  const hook = parse(await readFile(join(folder, 'take-out-osd/deletion-hook.yaml'), 'utf8'));
  const hooks = await kubernetes.discover('phaseout.dev', 'DeletionHook', 'v1alpha1');
  await kubernetes.create(hooks!, hook);
  const machines = resourceOf(clusterApi, 'v1beta2');
  const worker = { namespace: 'fleet', name: 'worker-2' };
  const uid = (await kubernetes.get(machines, worker))?.metadata.uid ?? 'no such Machine';
  await kubernetes.delete(machines, worker, uid);

  await untilTold('waits=WaitingForPreDrainHook');
  const env = { ...outside.env, KUBECONFIG: kubeconfig };
  await main(wordsOf(lines.explain), { ...outside, env });
  expect(written.stdout).toContain('DeletionHook take-out-osd');
  await untilTold('fleet/worker-2 is gone after ');
  interrupt();
  expect(await ended).toBe(0);
});
