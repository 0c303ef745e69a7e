import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import { aFailingCluster, phaseOf, until } from '../../endurance/stage/cluster.ts';
import { type HostProcess, hostProcess, surroundings } from '../../endurance/stage/host.ts';

const worker = 'worker-1';
/** Nearly all of it is for machines that are busy with other things. */
const timeout = 120_000;

/** What it was about and how it was answered, of each request that was answered after it was told to end. */
function answeredAtTheEnd(process: HostProcess): [unknown, unknown][] {
  const lines = process.lines();
  const rest = lines.slice(lines.findIndex(({ msg }) => msg === 'Stopping'));
  return rest.filter(({ msg }) => msg === 'request').map((line) => [line['function'], line['status']]);
}

describe('the functions as a process', { timeout }, () => {
  test('told to end in the midst of a step it finishes that, and another one goes on', async (context) => {
    const stage = await aFailingCluster(context);
    const { env, activator } = await surroundings(context, stage);
    const [first, second] = [hostProcess(context, env), hostProcess(context, env)];
    const [firstUrl, secondUrl] = await Promise.all([first.ready(), second.ready()]);
    activator.instance = firstUrl;
    stage.front.latencyMilliseconds = 100;
    stage.ask(worker);
    // The answer to the eviction is still on its way.
    await until(() => stage.witness.evictions > 0, 60_000);
    first.process.kill('SIGTERM');
    activator.instance = undefined;
    expect(await first.ended).toBe(0);
    expect(first.lines().find(({ msg }) => msg === 'Draining Node')).toMatchObject({
      function: 'drain',
      request: expect.any(String),
      Machine: 'fleet/worker-1',
      phase: 'drain',
      Node: 'worker-1',
    });
    expect(answeredAtTheEnd(first)).toContainEqual(['drain', 204]);
    expect(first.lines().at(-1)).toMatchObject({ msg: 'Stopped' });
    expect(phaseOf(stage.cluster, worker)).toBe('drain');
    stage.front.latencyMilliseconds = 0;
    activator.instance = secondUrl;
    await stage.untilGone(worker);
    expect(stage.witness.problems).toEqual([]);
    expect(stage.witness.evictedTwice()).toEqual([]);
  });
});

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
