import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { startLocalApi } from '../../../infra/local/apis/local-api.ts';
import { readExample } from '../../../infra/local/examples/read-example.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { anOutside } from './outside.ts';

/** A cluster of OpenShift, which is not what the example would be, in the kubeconfig at home. */
async function atHome() {
  const manifests = await readExample('openshift');
  const api = await startLocalApi({ manifests, clock: systemClock, random: Math.random });
  onTestFinished(() => api.close());
  const { outside, written, folder } = await anOutside();
  await mkdir(join(folder, '.kube'));
  await writeFile(join(folder, '.kube/config'), api.kubeconfig);
  const env = { ...outside.env, HOME: folder };
  return { outside: { ...outside, env, isPlugin: true }, written, folder };
}

const worker = 'openshift-machine-api/worker-1';

test('as a plugin of kubectl, plan looks at the cluster of the current context', async () => {
  const { outside, written } = await atHome();
  expect(await main(['plan', worker], outside)).toBe(0);
  expect(written.stdout.split('\n')[0]).toBe(`Deleting Machine ${worker}`);
});

test('another context may be named', async () => {
  const { outside, written } = await atHome();
  expect(await main(['plan', worker, '--context', 'nowhere'], outside)).toBe(2);
  expect(written.stderr).toContain('nowhere');
});

test('an example is looked at where that is said', async () => {
  const { outside, written } = await atHome();
  expect(await main(['plan', 'fleet/worker-1', '--example', 'capi'], outside)).toBe(0);
  expect(written.stdout.split('\n')[0]).toBe('Deleting Machine fleet/worker-1');
});

test('without any kubeconfig it says what is missing', async () => {
  const { outside, written } = await anOutside();
  expect(await main(['plan', 'fleet/worker-1'], { ...outside, isPlugin: true })).toBe(2);
  expect(written.stderr).toContain('--kubeconfig FILE');
});
