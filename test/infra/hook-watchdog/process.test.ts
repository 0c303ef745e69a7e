import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHookWatchdog } from '../../../infra/hook-watchdog/process.ts';
import type { ApiRequest } from '../../../infra/local/kubernetes/server/request.ts';
import { type Clock, systemClock } from '../../../shared/time/clock.ts';
import { aStage, blueHook, type GivenMachine, hook } from '../hook/stage.ts';

type Stage = Awaited<ReturnType<typeof aStage>>;

const minutes = 60_000;
const leases = 'leases.coordination.k8s.io';
const held: GivenMachine = { isDeleting: true };
const hooked = { [hook]: 'phaseout.dev' };

/** The Lease as it was renewed so long ago. */
function renew({ cluster }: Stage, milliseconds: number, name = 'phaseout'): void {
  const renewTime = new Date(systemClock.now() - milliseconds).toISOString().replace('Z', '000Z');
  cluster.create(leases, { metadata: { name, namespace: 'phaseout' }, spec: { renewTime } });
}

/** The API server refuses some requests. */
function refuse({ apiServer }: Stage, isRefused: (request: ApiRequest) => boolean): void {
  const answer = apiServer.respond.bind(apiServer);
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'may not', code: 403 };
  const refusal = { status: 403, headers: {}, body: JSON.stringify(status) };
  apiServer.respond = (request) => (isRefused(request) ? refusal : answer(request));
}

interface Run {
  env?: Record<string, string>;
  /** How far the clock of the hook watchdog is ahead. */
  aheadMilliseconds?: number;
}

async function run({ kubeconfig }: Stage, { env = {}, aheadMilliseconds = 0 }: Run = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'dead-man-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'kubeconfig');
  await writeFile(path, kubeconfig);
  const lines: { msg: string }[] = [];
  const stdout = { write: (text: string) => lines.push(JSON.parse(text)) };
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMilliseconds };
  const variables = { KUBECONFIG: path, LEASE_NAMESPACE: 'phaseout', ...env };
  const code = await runHookWatchdog({ env: variables, stdout, clock });
  return { code, lines, messages: lines.map(({ msg }) => msg) };
}

describe('once the Lease is not there', () => {
  it('hooks go off Machines that are being deleted, with and without a checkpoint, and off no other', async () => {
    const stage = await aStage({
      a: held,
      b: { isDeleting: true, annotations: { ...hooked, 'phaseout.dev/checkpoint': '{}' } },
      living: {},
      theirs: { isDeleting: true, annotations: { [hook]: 'team/me' } },
      blue: { isDeleting: true, annotations: { [blueHook]: 'phaseout.dev' } },
    });
    expect(await run(stage)).toMatchObject({
      code: 0,
      messages: [
        'Phaseout is gone: its hook comes off',
        'Machine no longer waits for phaseout',
        'Machine no longer waits for phaseout',
        'Done',
      ],
    });
    expect(stage.annotations('a')).toEqual({});
    expect(stage.annotations('b')).toEqual({ 'phaseout.dev/checkpoint': '{}' });
    expect(stage.annotations('living')).toEqual(hooked);
    expect(stage.annotations('theirs')).toEqual({ [hook]: 'team/me' });
    expect(stage.annotations('blue')).toEqual({ [blueHook]: 'phaseout.dev' });
  });

  it('another installation is asked for by its name', async () => {
    const stage = await aStage({
      a: held,
      blue: { isDeleting: true, annotations: { [blueHook]: 'phaseout.dev' } },
    });
    renew(stage, 0);
    expect(await run(stage, { env: { PHASEOUT_INSTALLATION: 'blue' } })).toMatchObject({ code: 0 });
    expect(stage.annotations('a')).toEqual(hooked);
    expect(stage.annotations('blue')).toEqual({});
  });

  it('Machines of other namespaces are left, where some are named', async () => {
    const stage = await aStage({ a: held, b: { ...held, namespace: 'other' } });
    await run(stage, { env: { PHASEOUT_NAMESPACES: 'other' } });
    expect(stage.annotations('a')).toEqual(hooked);
    expect(stage.annotations('b', 'other')).toEqual({});
  });

  it('the Lease is looked at again before each eight of them', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `m-${index}`);
    const stage = await aStage(Object.fromEntries(names.map((name) => [name, held])));
    stage.cluster.watch('machines.cluster.x-k8s.io', () => {
      if (stage.cluster.get(leases, 'phaseout', 'phaseout') === undefined) renew(stage, 0);
    });
    expect((await run(stage)).messages.at(-2)).toBe('Phaseout lives, and keeps its hook');
    expect(names.filter((name) => hook in stage.annotations(name))).toHaveLength(4);
  });
});

/** An API server that has stored a Lease so long ago, as its answers' own dates say. */
async function aStageWithLease(age: number): Promise<Stage> {
  const clock: Clock = { ...systemClock, now: () => systemClock.now() - age };
  const stage = await aStage({ a: held }, { clock });
  renew(stage, age);
  return stage;
}

it('once the Lease is thirty minutes old by all clocks, hooks go off', async () => {
  const stage = await aStageWithLease(31 * minutes);
  expect(await run(stage)).toMatchObject({ code: 0, messages: { length: 3 } });
  expect(stage.annotations('a')).toEqual({});
});

describe('while the Lease is fresh', () => {
  it.each<[string, number, Run]>([
    ['hooks stay', 29 * minutes, {}],
    ['hooks stay where only our own clock says that it is old', 0, { aheadMilliseconds: 60 * minutes }],
    ['hooks stay where only the API server’s says so', 60 * minutes, { aheadMilliseconds: -50 * minutes }],
  ])('%s', async (_, age, how) => {
    const stage = await aStageWithLease(age);
    expect(await run(stage, how)).toMatchObject({
      code: 0,
      messages: ['Phaseout lives, and keeps its hook', 'Done'],
    });
    expect(stage.annotations('a')).toEqual(hooked);
  });
});

it('where no Machine is held, nothing is asked of the Lease', async () => {
  const stage = await aStage({ living: {} });
  expect(await run(stage)).toMatchObject({ code: 0, messages: ['Done'] });
  expect(stage.apiServer.requests().filter(({ resource }) => resource.includes('leases'))).toEqual([]);
});

describe('what could not be done is told by the exit code', () => {
  it('a Lease that could not be read is no answer', async () => {
    const stage = await aStage({ a: held });
    refuse(stage, ({ path }) => path.includes('/leases/'));
    expect(await run(stage)).toMatchObject({
      code: 1,
      messages: ['Could not read the Lease or Machines, the hooks stay'],
    });
    expect(stage.annotations('a')).toEqual(hooked);
  });

  it('a hook that stays is named', async () => {
    const stage = await aStage({ a: held });
    refuse(stage, ({ method }) => method === 'PATCH');
    const { code, lines } = await run(stage);
    expect(code).toBe(1);
    const line: unknown = expect.objectContaining({ machine: 'fleet/a', why: 'may not' });
    expect(lines).toContainEqual(line);
  });

  it('wrong variables are 2', async () => {
    const { code, lines } = await run(await aStage({}), { env: { LEASE_NAMESPACE: '' } });
    expect(code).toBe(2);
    expect(lines).toMatchObject([{ why: 'LEASE_NAMESPACE must name the namespace of the installation' }]);
  });

  it('nobody who answers is 1', async () => {
    const stage = await aStage({});
    const kubeconfig = stage.kubeconfig.replace(stage.url, 'http://127.0.0.1:1');
    expect(await run({ ...stage, kubeconfig })).toMatchObject({ code: 1 });
  });
});
