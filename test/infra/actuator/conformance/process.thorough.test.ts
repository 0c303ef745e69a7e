import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createCloud } from '../../../../infra/local/provider/cloud.ts';
import { startProvider } from '../../../../infra/local/provider/serve.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

const program = new URL('../../../../infra/actuator/conformance/main.ts', import.meta.url).pathname;

async function runAgainst(url: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, '--url', url, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (text) => (stdout += String(text)));
  const [code] = await once(child, 'close');
  return { code, stdout };
}

test('the command checks a provider on the network, waiting for its servers', async () => {
  const settings = { createSeconds: 0.2, deleteSeconds: 0.5 };
  const cloud = createCloud({ clock: systemClock, random: () => 0.5, settings });
  const provider = await startProvider({ cloud, token: 's3cret' });
  onTestFinished(async () => {
    cloud.close();
    await provider.close();
  });
  const { code, stdout } = await runAgainst(provider.url, '--token', 's3cret', '--api', 'openshift');
  expect(stdout).toMatch(/The provider keeps to the contract: 32 passed, 0 failed, 0 skipped\.\n$/);
  expect(code).toBe(0);
  expect(cloud.servers()).toEqual([]);
});

test('the command says when nobody answers', async () => {
  const provider = await startProvider({ cloud: createCloud({ clock: systemClock, random: () => 0.5 }) });
  await provider.close();
  const { code, stdout } = await runAgainst(provider.url, '-o', 'json');
  expect(code).toBe(1);
  expect(stdout).toContain('ECONNREFUSED');
});
