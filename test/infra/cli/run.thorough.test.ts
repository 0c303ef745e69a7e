import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { startLocalApi } from '../../../infra/local/apis/local-api.ts';
import { startControllers } from '../../../infra/local/controllers/index.ts';
import { readExample } from '../../../infra/local/examples/read-example.ts';
import type { RequestCount } from '../../../infra/local/kubernetes/server/request-counts.ts';
import { bringUp } from '../../../infra/local/platform/bring-up.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { resourceOf } from '../../../shared/dialects/dialect.ts';
import { aDump, aMachine, aNode, anAwsMachine, aPod } from '../../builders/dump.ts';
import { anOutside, parsed, phaseout } from './outside.ts';
import { quickClock } from './quick-clock.ts';

const machines = resourceOf(clusterApi, 'v1beta2');

/** For what comes sooner or later: on a busy computer it is later. */
const longestMilliseconds = 60_000;

interface Line {
  event: string;
  [field: string]: unknown;
}

const jsonLines = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => parsed<Line>(line));

const isDiscovery = ({ resource }: RequestCount): boolean => resource === '' || resource.startsWith('/');

/**
 * The counts in one order, as the API server has them: discovery is one. Of watches only those of Machines last: another
 * may be ended before its answer, which one side alone counts.
 */
function asServed(counts: readonly RequestCount[]): string[] {
  const [discovery, others] = [counts.filter(isDiscovery), counts.filter((one) => !isDiscovery(one))];
  const lasting = others.filter(({ verb, resource }) => verb !== 'watch' || resource.startsWith('machines.'));
  return [
    `${discovery.reduce((sum, { count }) => sum + count, 0)} discovery`,
    ...lasting.map(({ verb, resource, count }) => `${count} ${verb} ${resource}`),
  ].toSorted((one, other) => one.localeCompare(other));
}

/** A local cluster that is served for others. */
async function serving() {
  const { outside, written, folder, interrupt } = await anOutside();
  const running = main(['run', '--serve'], outside);
  await vi.waitFor(() => expect(written.stdout).toContain('Serving until Ctrl-C.'), longestMilliseconds);
  return { running, written, interrupt, file: join(folder, '.phaseout/kubeconfig') };
}

/** A cluster that knows nothing of phaseout. */
async function aCluster() {
  const clock = quickClock(8);
  const api = await startLocalApi({ manifests: await readExample('capi'), clock, random: Math.random });
  await bringUp(api, clock);
  const stop = startControllers(api.apiServer.cluster, clock);
  onTestFinished(async () => {
    stop();
    await api.close();
  });
  return api;
}

describe('deleting Machines of the example fleet', () => {
  it('is told line by line, with a timeline at the end', async () => {
    const { code, lines, stderr } = await phaseout('run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines[0]).toMatch(/^phaseout: the example fleet at http:\/\/127\.0\.0\.1:\d+$/);
    const told = lines.filter((line) => line.startsWith('+')).map((line) => line.replace(/^\+[\d.]+ s /, ''));
    const replacements = told.filter((line) => /^machine=fleet\/worker-\w{5} is=Running node=/.test(line));
    expect(replacements).toHaveLength(1);
    expect(told.find((line) => line.includes('worker-1 '))).toBe(
      'machine=fleet/worker-1 phase=pre-drain began',
    );
    expect(told.at(-1)).toBe('machine=fleet/worker-1 phase=finalize finalizer=removed');
    expect(
      told.filter((line) => line.includes(' after=')).map((line) => line.split(' ').slice(1, 4).join(' ')),
    ).toEqual([
      'phase=drain after=pre-drain as=done',
      'phase=volume-detach after=drain as=done',
      'phase=pre-terminate after=volume-detach as=done',
      'phase=infrastructure after=pre-terminate as=done',
      'phase=bootstrap after=infrastructure as=done',
      'phase=node after=bootstrap as=done',
      'phase=finalize after=node as=done',
    ]);
    expect(told.some((line) => / refused=shop\/web-\S+ cause=BudgetExhausted /.test(line))).toBe(true);
    const end = lines.findIndex((line) => /^fleet\/worker-1 is gone after \d+\.\d s$/.test(line));
    const chapters = lines.slice(end).filter((line) => /^ {2}[a-z]/.test(line));
    expect(chapters.map((line) => line.trim().split(' ')[0])).toEqual([
      'pre-drain',
      'drain',
      'volume-detach',
      'pre-terminate',
      'infrastructure',
      'bootstrap',
      'node',
      'finalize',
    ]);
    expect(lines.at(-1)).toMatch(/^\d+ requests to the API server: \d+ get, /);
  });

  it('is told as JSON and nothing else', async () => {
    const { code, stdout, stderr } = await phaseout(
      'run',
      '--delete',
      'fleet/worker-2',
      'fleet/worker-3',
      '-o',
      'json',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = jsonLines(stdout);
    expect(lines[0]).toMatchObject({ event: 'ready', subject: 'the example fleet', notes: [] });
    expect(
      lines
        .filter(({ event }) => event === 'done')

        .map(({ machine }) => String(machine))
        .toSorted((one, other) => one.localeCompare(other)),
    ).toEqual(['fleet/worker-2', 'fleet/worker-3']);
    expect(lines.map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        'ready',
        'deleting',
        'evicted',
        'refused',
        'waits',
        'phase',
        'released',
        'done',
        'timeline',
      ]),
    );
    const waits = lines.find(({ event }) => event === 'waits');
    expect(waits).toEqual({
      event: 'waits',
      time: expect.stringMatching(/^20.*Z$/),
      machine: expect.stringMatching(/^fleet\/worker-[23]$/),
      phase: 'drain',
      reason: 'DrainingNode',
      message: expect.stringMatching(/^Drain not completed yet/),
    });
    expect(lines.at(-1)).toMatchObject({ event: 'timeline', requests: expect.any(Number) });
    expect(lines.at(-1)?.['machines']).toMatchObject([{ gone: true }, { gone: true }]);
  });

  it('is given up when it takes too long, and says what it was waiting for', async () => {
    // Not quick: on a busy computer the Machine may not reach its hook in a fraction of a second.
    const { outside, written } = await anOutside({ clock: quickClock(1) });
    const code = await main(['run', '--timeout', '1'], outside);
    expect(written.stdout).toMatch(/^fleet\/worker-1 is still there after \d+\.\d s$/m);
    expect({ code, stderr: written.stderr }).toEqual({
      code: 1,
      stderr:
        'phaseout: not gone after 1 s:\n  fleet/worker-1: pre-drain: hook move-traffic of local-hook-owner\n',
    });
  });

  it('ends with code 130 when it is interrupted', async () => {
    const { outside, written, interrupt } = await anOutside();
    const running = main(['run'], outside);
    await vi.waitFor(() => expect(written.stdout).toContain('hook move-traffic'), longestMilliseconds);
    interrupt();
    expect(await running).toBe(130);
    expect(written.stderr).toBe('');
  });

  it('does not begin when it is interrupted before', async () => {
    const { outside, written, interrupt } = await anOutside();
    interrupt();
    expect(await main(['run'], outside)).toBe(130);
    expect(written.stdout).toMatch(
      /^phaseout: the example fleet at .*\n  Machines: fleet\/control-plane-1 Running, .*\n  page: http:\/\/127\.0\.0\.1:\d+\/#token=.*\n$/,
    );
  });

  it('does not begin where the table cannot be set up', async () => {
    const { outside, written } = await anOutside({ env: { PHASEOUT_TABLE: 'x' } });
    expect(await main(['run'], outside)).toBe(1);
    expect(written.stderr).toMatch(
      /^phaseout: DynamoDB table x: ValidationException: TableName must be .*\n$/,
    );
  });

  it('is refused for a Machine that does not exist, and none of the others is deleted', async () => {
    const { code, stdout, stderr } = await phaseout('run', '--delete', 'fleet/worker-2', 'fleet/worker-9');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^phaseout: there is no Machine fleet\/worker-9\. Did you mean fleet\/worker-1, fleet\/worker-2 or fleet\/worker-3\? \(of 4 Machines\)$/m,
    );
    expect(stdout).toMatch(/^phaseout: .*\n  Machines: .*\n  page: .*\n$/);
  });
});

describe('a dump', () => {
  const deleted = { deletionTimestamp: '2026-01-02T00:00:00Z' };

  it('goes on with the Machines that were being deleted, whatever their infrastructure is', async () => {
    const { outside, written, folder } = await anOutside();
    const path = await aDump(folder, [
      aMachine('a', { metadata: deleted }),
      anAwsMachine('a'),
      aNode('a'),
      aMachine('b'),
      anAwsMachine('b'),
      aNode('b'),
      aPod('web-1', 'a', { kind: 'ReplicaSet', name: 'web' }),
      aPod('web-2', 'b', { kind: 'ReplicaSet', name: 'web' }),
    ]);
    const code = await main(['run', '--load', path, '-o', 'json'], outside);
    expect({ code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    const lines = jsonLines(written.stdout);
    expect(lines[0]?.['notes']).toContain("finalizers replaced by the local provider's on 2 AWSMachine");
    expect(lines.filter(({ event }) => event === 'evicted').map(({ pod }) => pod)).toEqual(['shop/web-1']);
    expect(lines.filter(({ event }) => event === 'done').map(({ machine }) => machine)).toEqual(['fleet/a']);
  });

  it('needs to be told which Machine when none was being deleted', async () => {
    const { outside, written, folder } = await anOutside();
    const path = await aDump(folder, [aMachine('a'), aMachine('b')]);
    const code = await main(['run', '--load', path], outside);
    expect({ code, stderr: written.stderr.split('\n')[0] }).toEqual({
      code: 2,
      stderr:
        'phaseout: no Machine is being deleted; choose with --delete NAMESPACE/NAME from: fleet/a, fleet/b',
    });
  });

  it('without a Machine of a known API says so', async () => {
    const { outside, written, folder } = await anOutside();
    const path = await aDump(folder, [{ ...aMachine('a'), apiVersion: 'machine.sapcloud.io/v1alpha1' }]);
    const code = await main(['run', '--load', path], outside);
    expect({ code, stderr: written.stderr.split('\n')[0] }).toEqual({
      code: 2,
      stderr:
        'phaseout: there is no Machine of cluster.x-k8s.io, machine.openshift.io, cluster.k8s.io in the manifests',
    });
  });

  it('of Machines that wait shows what for', async () => {
    const { outside, written, folder } = await anOutside();
    const hook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/backup';
    const metadata = { ...deleted, annotations: { [hook]: 'somebody' } };
    const path = await aDump(folder, [aMachine('a', { metadata }), anAwsMachine('a')]);
    const code = await main(['run', '--load', path, '--timeout', '10'], outside);
    expect(code).toBe(1);
    expect(written.stderr).toContain('fleet/a: pre-terminate: hook backup');
  });

  it('of v1beta1 is taken through all phases', async () => {
    const { outside, written, folder } = await anOutside();
    const path = await aDump(folder, [aMachine('a', { version: 'v1beta1' }), anAwsMachine('a'), aNode('a')]);
    const code = await main(['run', '--load', path, '--delete', 'fleet/a', '-o', 'json'], outside);
    expect({ code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('serving', () => {
  it('writes a kubeconfig, deletes what others delete and ends when it is interrupted', async () => {
    const { running, written, interrupt, file } = await serving();
    expect(written.stdout).toContain('kubectl --kubeconfig .phaseout/kubeconfig get machines -A');
    const kubernetes = connect(loadKubeConfig({ file }), { clock: quickClock(1) });
    const key = { namespace: 'fleet', name: 'worker-3' };
    const machine = await kubernetes.get(machines, key);
    await kubernetes.delete(machines, key, machine?.metadata.uid ?? '');
    await vi.waitFor(
      () => expect(written.stdout).toContain('fleet/worker-3 is gone after'),
      longestMilliseconds,
    );
    await kubernetes.close();
    interrupt();
    expect({ code: await running, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(existsSync(file)).toBe(false);
  });

  it.runIf(existsSync('/usr/bin/kubectl'))('is understood by kubectl, where there is one', async () => {
    const { running, written, interrupt, file } = await serving();
    const kubectl = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)('/usr/bin/kubectl', ['--kubeconfig', file, ...args])).stdout;
    expect((await kubectl('get', 'machines', '-A')).split('\n')[0]).toMatch(
      /^NAMESPACE +NAME +CLUSTER +NODE NAME /,
    );
    await kubectl('-n', 'fleet', 'annotate', 'machine', 'worker-3', 'example.com/why=test');
    expect(await kubectl('-n', 'fleet', 'describe', 'machine', 'worker-3')).toContain(
      'example.com/why: test',
    );
    await kubectl('-n', 'fleet', 'delete', 'machine', 'worker-3', '--wait=false');
    await vi.waitFor(
      () => expect(written.stdout).toContain('fleet/worker-3 is gone after'),
      longestMilliseconds,
    );
    expect(await kubectl('get', 'events', '-A')).toContain('SuccessfulDrainNode');
    interrupt();
    expect(await running).toBe(0);
  });
});

describe('a real cluster', () => {
  it('has its Machines deleted from here', async () => {
    const api = await aCluster();
    const { outside, written, folder } = await anOutside();
    const file = join(folder, 'kubeconfig');
    await writeFile(file, api.kubeconfig);
    const code = await main(['run', '--kubeconfig', file, '--delete', 'fleet/worker-3'], outside);
    expect({ code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(written.stdout.split('\n').slice(0, 2)).toEqual([
      `phaseout: the cluster of context phaseout at ${api.url}`,
      '  every Machine (PHASEOUT_WATCH_FILTER would choose some) that is being deleted there is taken through its phases here: no other controller may do that',
    ]);
    expect(api.apiServer.cluster.get('machines.cluster.x-k8s.io', 'fleet', 'worker-3')).toBeUndefined();
    const ending = written.stdout.slice(written.stdout.indexOf('finalizer=removed'));
    expect(ending).toMatch(
      /^finalizer=removed\nfleet\/worker-3 is gone after \S+ s\n\n\d+ requests to the API server: .*\n$/,
    );
  });

  it('has the phases of its Machines shown where that is asked for', async () => {
    const api = await aCluster();
    const { outside, written, folder } = await anOutside();
    const file = join(folder, 'kubeconfig');
    await writeFile(file, api.kubeconfig);
    const line = ['run', '--kubeconfig', file, '--delete', 'fleet/worker-3', '--timeline'];
    expect(await main(line, outside)).toBe(0);
    expect(written.stdout).toMatch(/\n\nfleet\/worker-3 is gone after \S+ s\n\n {2}drain +\S+ s /);
  });

  it('is told all requests that it got: for the functions, the sources and the board', async () => {
    const api = await aCluster();
    const { outside, written, folder } = await anOutside();
    const file = join(folder, 'kubeconfig');
    await writeFile(file, api.kubeconfig);
    const machine = 'fleet/worker-3';
    expect(await main(['run', '--kubeconfig', file, '--delete', machine, '-o', 'json'], outside)).toBe(0);
    const { byResource } = parsed<{ byResource: RequestCount[] }>(
      written.stdout.trimEnd().split('\n').at(-1)!,
    );
    expect(asServed(byResource)).toEqual(asServed(api.apiServer.requests()));
    const ofMachines = byResource.filter(({ resource }) => resource === 'machines.cluster.x-k8s.io');
    expect(ofMachines).toContainEqual({ verb: 'watch', resource: 'machines.cluster.x-k8s.io', count: 1 });
  });

  it('is served until the interruption when nothing is to be deleted', async () => {
    const api = await aCluster();
    const { outside, written, folder, interrupt } = await anOutside();
    const file = join(folder, 'kubeconfig');
    await writeFile(file, api.kubeconfig);
    const running = main(['run', '--kubeconfig', file], outside);
    await vi.waitFor(() => expect(written.stdout).toContain('Serving until Ctrl-C'), longestMilliseconds);
    const machine = api.apiServer.cluster.get('machines.cluster.x-k8s.io', 'fleet', 'worker-2');
    api.apiServer.cluster.remove('machines.cluster.x-k8s.io', machine!);
    await vi.waitFor(
      () => expect(written.stdout).toContain('fleet/worker-2 is gone after'),
      longestMilliseconds,
    );
    interrupt();
    expect({ code: await running, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readFile(file, 'utf8')).toBe(api.kubeconfig);
  });

  it('without Machines is no place to run', async () => {
    const api = await startLocalApi({ manifests: [], clock: quickClock(1), random: Math.random });
    onTestFinished(() => api.close());
    const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
    for (const one of api.apiServer.cluster.list(definitions)) api.apiServer.cluster.remove(definitions, one);
    const { outside, written, folder } = await anOutside();
    const file = join(folder, 'kubeconfig');
    await writeFile(file, api.kubeconfig);
    const code = await main(['run', '--kubeconfig', file], outside);
    expect({ code, stderr: written.stderr }).toEqual({
      code: 1,
      stderr: `phaseout: ${api.url} serves no Machines (none of cluster.x-k8s.io, machine.openshift.io, cluster.k8s.io is installed there)\n`,
    });
  });
});
