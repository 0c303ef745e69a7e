import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { until } from '../../endurance/stage/cluster.ts';
import { type HostProcess, hostProcess } from '../../endurance/stage/host.ts';

/** Nearly all of it is for machines that are busy with other things. */
const timeout = 120_000;

/** A process that does nothing, in a cluster that does not answer; `first` is run in it before anything else. */
async function idle(context: TestContext, first = ''): Promise<{ running: HostProcess; port: number }> {
  const running = hostProcess(context, {
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: '1',
    PHASEOUT_DYNAMODB_ENDPOINT: 'http://127.0.0.1:1',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(first)}`,
  });
  await until(() => running.process.exitCode !== null || running.has('Serving'), 60_000);
  return { running, port: Number(running.lines().find(({ msg }) => msg === 'Serving')?.['port']) };
}

test('told to end twice it does not wait', { timeout }, async (context) => {
  const { running, port } = await idle(context);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  // A body that does not come is waited for.
  socket.write('POST /drain HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc');
  await pause(100);
  running.process.kill('SIGTERM');
  await until(() => running.has('Stopping'));
  running.process.kill('SIGINT');
  expect(await running.ended).toBe(130);
});

test('an error that nobody caught ends it in order', { timeout }, async (context) => {
  const rejecting = "process.on('SIGUSR2', async () => { throw new Error('a mistake of ours') })";
  const { running } = await idle(context, rejecting);
  running.process.kill('SIGUSR2');
  expect(await running.ended).toBe(1);
  expect(running.lines().slice(-2)).toMatchObject([
    { level: 'error', error: { message: 'a mistake of ours' } },
    { level: 'info', msg: 'Stopped' },
  ]);
  expect(running.written.stderr).toBe('');
});

test('an older Node is told that it is too old', { timeout }, async (context) => {
  const older = "Object.defineProperty(process, 'versions', { value: { node: '22.19.0' } })";
  const { running } = await idle(context, older);
  expect(await running.ended).toBe(1);
  expect(running.written).toEqual({
    stdout: '',
    stderr: 'phaseout needs Node 24 or newer, and this is 22.19.0\n',
  });
});
