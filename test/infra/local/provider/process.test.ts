import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHttpActuator } from '../../../../shared/adapters/actuator/http-actuator.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { anOpenShiftMachine, targetOf } from '../../../builders/provider-machines.ts';

const program = new URL('../../../../infra/local/provider/main.ts', import.meta.url).pathname;

function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PHASEOUT_ACTUATOR_TOKEN: 's3cret' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (written.stdout += String(text)));
  child.stderr.on('data', (text) => (written.stderr += String(text)));
  return { child, written };
}

test('the provider runs by itself until it is told to end', async () => {
  const { child, written } = start();
  await vi.waitFor(() => expect(written.stdout).toMatch(/^provider: http.*\n/), 10_000);
  const [, url = ''] = /^provider: (\S+)/.exec(written.stdout) ?? [];
  const token = { current: async () => 's3cret', forget: () => undefined };
  const actuator = createHttpActuator({ url, token, timeoutSeconds: 10, clock: systemClock });
  expect(await actuator.create(targetOf(anOpenShiftMachine()))).toMatchObject({ kind: 'done' });
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(written).toEqual({
    stdout: `provider: ${url}\nopenshift-machine-api/worker-1 creating\n`,
    stderr: '',
  });
});

test.each([
  [['--port', '65536'], 'provider: --port takes a number from 0 to 65535, not "65536"\n'],
  [['--prot', '1'], "provider: Unknown option '--prot'\n"],
])('%j is not understood', async (args, message) => {
  const { child, written } = start(...args);
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(written).toEqual({ stdout: '', stderr: message });
});
