import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalApi } from '../../../infra/local/apis/local-api.ts';
import { readExample } from '../../../infra/local/examples/read-example.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { aDump, aMachine, aNode, anAwsMachine } from '../../builders/dump.ts';
import { type Installed, install } from './installed.ts';

const oldest = '22.19.0';

/** npm brings it, as it brings the Node of the project. */
async function nodeIn(folder: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  await promisify(execFile)('npm', ['install', '--no-save', '--prefix', folder, `${name}@${oldest}`]);
  return join(folder, 'node_modules', name, 'bin/node');
}

describe('on the oldest Node that is promised, the package', () => {
  let installed: Installed;
  let node: string;
  beforeAll(async () => {
    installed = await install();
    node = await nodeIn(join(installed.folder, 'oldest'));
  }, 300_000);
  afterAll(() => installed.remove());

  test('runs on that Node', async () => {
    const { stdout } = await promisify(execFile)(node, ['--version']);
    expect(stdout).toBe(`v${oldest}\n`);
    expect(await installed.start('phaseout', ['--version'], { node })).toEqual({
      code: 0,
      stdout: '0.1.0\n',
      stderr: '',
    });
  });

  test('plans a dump as on the Node of the project', async () => {
    const dump = await aDump(installed.folder, [aMachine('a'), anAwsMachine('a'), aNode('a')]);
    const args = ['plan', 'fleet/a', '--load', dump];
    const there = await installed.start('phaseout', args, { node });
    expect(there.code).toBe(0);
    expect(there.stderr).toContain('assumed to be there: 1 Cluster, 1 ControlPlane');
    expect(there).toEqual(await installed.start('phaseout', args));
  });

  test.each([
    [['--mode', 'beside'], 'fleet/worker-1 is gone after '],
    [['--example', 'openshift'], 'openshift-machine-api/worker-1 is gone after '],
    [['--example', 'v1alpha1'], 'machines/worker-1 is gone after '],
  ])('deletes a Machine of the local platform with %j', async (options, end) => {
    const { code, stdout, stderr } = await installed.start('phaseout', ['run', ...options], { node });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(end);
  });

  test('asks a cluster, as the plugin of kubectl', async () => {
    const manifests = await readExample('capi');
    const api = await startLocalApi({ manifests, clock: systemClock, random: Math.random });
    try {
      const kubeconfig = join(installed.folder, 'kubeconfig');
      writeFileSync(kubeconfig, api.kubeconfig);
      const how = { node, env: { KUBECONFIG: kubeconfig } };
      const { code, stdout, stderr } = await installed.start(
        'kubectl-phaseout',
        ['plan', 'fleet/worker-1'],
        how,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.split('\n')[0]).toBe('Deleting Machine fleet/worker-1');
    } finally {
      await api.close();
    }
  });

  test('completes for kubectl', async () => {
    const { code, stdout } = await installed.start('kubectl_complete-phaseout', ['plan', '--example', 'o'], {
      node,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'openshift\n:4\n' });
  });
});
