import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeImage } from '../../../infra/image/write-image.ts';
import { aStage } from '../hook/stage.ts';
import { ask } from '../page/ask.ts';
import { freePort } from '../page/free-port.ts';

const root = join(import.meta.dirname, '../../..');

const said = async (child: ChildProcess): Promise<string> => {
  for await (const part of child.stdout ?? []) return String(part);
  return '';
};

test('the image serves the page of its cluster, without anything beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'image-page-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const out = join(folder, 'app');
  await writeImage(root, out);
  const { kubeconfig } = await aStage({ a: { isDeleting: true } });
  await writeFile(join(folder, 'kubeconfig'), kubeconfig);
  const port = await freePort();
  const child = spawn(process.execPath, [join(out, 'page.cjs'), '--port', String(port)], {
    env: { KUBECONFIG: join(folder, 'kubeconfig') },
  });
  onTestFinished(() => void child.kill());
  expect(await said(child)).toBe(`Serving on port ${port}\n`);
  const headers = { host: `localhost:${port}` };
  const [page, script, data] = await Promise.all(
    ['/', '/app.js', '/api/overview'].map((path) => ask(port, path, { headers })),
  );
  expect(page?.text).toContain('data-opens="token"');
  expect(script?.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(data?.status).toBe(401);
});
