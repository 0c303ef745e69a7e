import { createServer } from 'node:http';
import { request } from 'undici';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import type { End } from '../../../infra/host/outside.ts';
import { listenLocally } from '../../../infra/local/kubernetes/server/listen.ts';
import { startDynamoDb } from '../../../infra/local/store/dynamodb.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { until } from '../../endurance/stage/cluster.ts';
import { about, time } from '../../events/examples.ts';
import { anApiDoor, running } from './running.ts';

async function aDatabase() {
  const database = await startDynamoDb();
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= database.close());
  onTestFinished(close);
  return { close, env: { PHASEOUT_DYNAMODB_ENDPOINT: database.endpoint } };
}

/** Of a port without a listener. */
const nowhere = 'http://127.0.0.1:1';

async function aServing(context: TestContext, env: Readonly<Record<string, string>> = {}) {
  const door = await anApiDoor(context);
  const given = {
    PHASEOUT_DYNAMODB_ENDPOINT: nowhere,
    PHASEOUT_MACHINE_APIS: 'capi',
    KUBECONFIG: door.kubeconfig,
  };
  const process = running(context, { env: { ...given, ...env } });
  const url = await process.url();
  await get(`${url}/health/readiness`);
  await until(() => process.line('Machine APIs are served') !== undefined);
  return { door, process, url };
}

async function get(url: string): Promise<[number, string]> {
  const answer = await request(url);
  return [answer.statusCode, await answer.body.text()];
}

async function post(url: string, seq = 0): Promise<[number, string]> {
  const { phase } = about;
  const answer = await request(`${url}/${phase}`, {
    method: 'POST',
    ...toBinary(advance({ ...about, seq }, time)),
  });
  return [answer.statusCode, await answer.body.text()];
}

describe('a process that serves', () => {
  test('is ready when the API server and the store have answered once, and stays so', async (context) => {
    const database = await aDatabase();
    const { door, process, url } = await aServing(context, database.env);
    expect(await get(`${url}/health/liveness`)).toEqual([200, 'alive']);
    expect(await running(context, { env: database.env, args: ['table'] }).code).toBe(0);
    await until(() => process.line('Ready') !== undefined);
    expect(process.line('Machine APIs are served')).toMatchObject({ served: ['cluster.x-k8s.io/v1beta2'] });
    const before = door.requests;
    door.mood = 'silent';
    await database.close();
    const probes = Array.from({ length: 50 }, () => get(`${url}/health/readiness`));
    expect(new Set((await Promise.all(probes)).flat())).toEqual(new Set([200, 'ready']));
    expect(door.requests).toBe(before);
  });

  test('says what it waits for', async (context) => {
    const { process, url } = await aServing(context);
    await until(() => process.line('Not ready') !== undefined);
    expect(await get(`${url}/health/readiness`)).toEqual([
      503,
      'not ready: the store: DynamoDB table phaseout: connect ECONNREFUSED 127.0.0.1:1',
    ]);
    expect(process.line('K_SINK is not set: no facts are sent, and commands only as replies')).toBeDefined();
  });

  test('serves the functions that it is asked to, and no others', async (context) => {
    const { process, url } = await aServing(context, { PHASEOUT_FUNCTIONS: 'sweep,drain' });
    expect(process.line('Serving')).toMatchObject({ functions: ['/sweep', '/drain'] });
    expect((await get(`${url}/drain`))[0]).toBe(405);
    expect(await get(`${url}/intake`)).toEqual([404, 'no function at /intake']);
  });

  test('takes no more requests at a time than it may', async (context) => {
    const { door, process, url } = await aServing(context, { PHASEOUT_REQUESTS_IN_FLIGHT: '1' });
    door.mood = 'silent';
    const before = door.requests;
    const first = post(url);
    await until(() => door.requests > before);
    expect(await post(url, 1)).toEqual([
      429,
      '1 requests are being worked on, which is the limit (PHASEOUT_REQUESTS_IN_FLIGHT)',
    ]);
    process.end('SIGTERM');
    door.close();
    expect((await first)[0]).toBe(503);
    expect(await process.code).toBe(0);
  });
});

describe('a request has its limits, which are those of the configuration', () => {
  test('of bytes', async (context) => {
    const { url } = await aServing(context, { PHASEOUT_BODY_LIMIT_BYTES: '1024' });
    const answer = await request(`${url}/drain`, { method: 'POST', body: 'x'.repeat(1_025) });
    expect([answer.statusCode, await answer.body.text()]).toEqual([
      413,
      'the body has 1025 bytes, and the limit is 1024 (PHASEOUT_BODY_LIMIT_BYTES)',
    ]);
  });

  test('of time', async (context) => {
    const { door, url } = await aServing(context, { PHASEOUT_REQUEST_TIMEOUT_SECONDS: '1' });
    door.mood = 'silent';
    expect(await post(url)).toEqual([503, 'not done in the time of a request']);
    door.close();
  });
});

describe('a process that is to end', () => {
  test('ends at once when nothing is to be finished', async (context) => {
    const { process, url } = await aServing(context);
    process.end('SIGTERM');
    expect(await process.code).toBe(0);
    expect(process.lines().slice(-2)).toMatchObject([
      { msg: 'Stopping', signal: 'SIGTERM' },
      { msg: 'Stopped' },
    ]);
    await expect(get(url)).rejects.toThrow('ECONNREFUSED');
  });

  test('waits for what has begun only for so long, and says what it leaves', async (context) => {
    const { door, process, url } = await aServing(context, { PHASEOUT_SHUTDOWN_SECONDS: '1' });
    door.mood = 'silent';
    const before = door.requests;
    const answered = post(url).catch(() => undefined);
    await until(() => door.requests > before);
    process.end('SIGTERM');
    expect(await process.code).toBe(1);
    expect(process.lines().at(-1)).toMatchObject({
      level: 'warn',
      msg: 'Stopped before all was finished',
      seconds: 1,
      requests: [{ function: 'drain' }],
      steps: [{ machine: { namespace: 'fleet', name: 'worker-7' }, phase: 'drain' }],
    });
    door.close();
    await answered;
  });

  test('because of an error that nobody caught says so, finishes what it can, and ends badly', async (context) => {
    const { process } = await aServing(context);
    const why: End = new TypeError('a mistake of ours');
    process.end(why);
    expect(await process.code).toBe(1);
    expect(process.lines().slice(-2)).toMatchObject([
      { level: 'error', error: { name: 'TypeError', message: 'a mistake of ours' } },
      { msg: 'Stopped' },
    ]);
  });
});

describe('a process that cannot start', () => {
  test.for<[string, Record<string, string>, string[]]>([
    [
      'because of its variables, all of which are named',
      { PHASEOUT_REQUESTS_IN_FLIGHT: '0', PHASEOUT_LOG_LEVEL: 'loud' },
      [
        'PHASEOUT_REQUESTS_IN_FLIGHT must be a whole number from 1 to 100000, not "0"',
        'PHASEOUT_LOG_LEVEL must be one of debug, info, warn, error, not "loud"',
      ],
    ],
    [
      'because it is in no cluster and knows of none',
      {},
      [
        'neither KUBECONFIG nor KUBERNETES_SERVICE_HOST is set: outside of a cluster KUBECONFIG must be the path of a kubeconfig',
      ],
    ],
    [
      'because there is no kubeconfig',
      { KUBECONFIG: '/nowhere/config' },
      ['KUBECONFIG /nowhere/config: no such file or directory'],
    ],
  ])('%s', async ([, env, lines], context) => {
    const process = running(context, { env });
    expect(await process.code).toBe(2);
    expect(process.lines()).toMatchObject(lines.map((why) => ({ level: 'error', why })));
  });

  test('because there are no such functions', async (context) => {
    const { kubeconfig } = await anApiDoor(context);
    const process = running(context, { env: { KUBECONFIG: kubeconfig, PHASEOUT_FUNCTIONS: 'drain,dran' } });
    expect(await process.code).toBe(2);
    expect(process.lines().at(-1)).toMatchObject({
      why: expect.stringMatching(/^PHASEOUT_FUNCTIONS names "dran"; there are intake, sweep, .*finalize$/),
    });
  });

  test('because its port is taken', async (context) => {
    const { kubeconfig } = await anApiDoor(context);
    const taken = createServer();
    onTestFinished(() => void taken.close());
    const { port } = new URL(await listenLocally(taken));
    const env = { KUBECONFIG: kubeconfig, PHASEOUT_DYNAMODB_ENDPOINT: nowhere, PORT: port };
    const process = running(context, { env });
    expect(await process.code).toBe(1);
    expect(process.line('Could not go on')).toMatchObject({
      level: 'error',
      error: { message: `listen EADDRINUSE: address already in use 127.0.0.1:${port}` },
    });
  });

  test('because nobody knows its arguments', async (context) => {
    const process = running(context, { args: ['tables'] });
    expect(await process.code).toBe(2);
    expect(process.lines()).toMatchObject([{ level: 'error', args: ['tables'], known: ['table'] }]);
  });
});

describe('the set-up of the table', () => {
  test('creates it, and the next time finds it', async (context) => {
    const { env } = await aDatabase();
    const first = running(context, { env, args: ['table'] });
    expect(await first.code).toBe(0);
    const table = { table: 'phaseout', endpoint: env.PHASEOUT_DYNAMODB_ENDPOINT };
    expect(first.lines()).toMatchObject([{ level: 'info', msg: 'Table created', ...table }]);
    const second = running(context, { env, args: ['table'] });
    expect(await second.code).toBe(0);
    expect(second.lines()).toMatchObject([{ level: 'info', msg: 'Table is there already', ...table }]);
  });

  test('says why it could not', async (context) => {
    const env = { PHASEOUT_DYNAMODB_ENDPOINT: nowhere, PHASEOUT_TABLE: 'deletions' };
    const process = running(context, { env, args: ['table'] });
    expect(await process.code).toBe(1);
    expect(process.lines()).toMatchObject([
      {
        level: 'error',
        msg: 'Table is not usable',
        why: 'DynamoDB table deletions: connect ECONNREFUSED 127.0.0.1:1',
      },
    ]);
  });

  test('goes on without the process that asked for it', async (context) => {
    const silent = createServer(() => undefined);
    onTestFinished(() => silent.close().closeAllConnections());
    const env = { PHASEOUT_DYNAMODB_ENDPOINT: await listenLocally(silent) };
    const process = running(context, { env, args: ['table'] });
    process.end('SIGTERM');
    expect(await process.code).toBe(1);
    expect(process.lines()).toMatchObject([{ msg: 'Stopping', signal: 'SIGTERM' }]);
  });
});
