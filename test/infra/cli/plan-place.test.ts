import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import { startLocalApi } from '../../../infra/local/apis/local-api.ts';
import { readExample } from '../../../infra/local/examples/read-example.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { anOutside, parsed } from './outside.ts';

/** A home with this text in .kube/config. */
async function atHome(kubeconfig: string | undefined) {
  const { outside, written, folder } = await anOutside();
  await mkdir(join(folder, '.kube'));
  if (kubeconfig !== undefined) await writeFile(join(folder, '.kube/config'), kubeconfig);
  const env = { ...outside.env, HOME: folder };
  const plan = async (...args: string[]) => ({
    code: await main(['plan', ...args], { ...outside, env }),
    ...written,
    first: written.stdout.split('\n')[0],
  });
  return { plan, folder };
}

describe('plan, where nothing says where to look,', () => {
  it('looks at the cluster of the current context', async () => {
    const manifests = await readExample('openshift');
    const api = await startLocalApi({ manifests, clock: systemClock, random: Math.random });
    onTestFinished(() => api.close());
    const { plan } = await atHome(api.kubeconfig);
    const { code, first } = await plan('openshift-machine-api/worker-1');
    expect({ code, first }).toEqual({ code: 0, first: 'Deleting Machine openshift-machine-api/worker-1' });
  });

  it('takes the example fleet where there is no kubeconfig, and says so first', async () => {
    const { plan, folder } = await atHome(undefined);
    const note = `the example fleet, as there is no kubeconfig: KUBECONFIG is not set, and ${folder}/.kube/config does not exist`;
    const { code, stdout } = await plan('fleet/worker-1');
    expect({ code, lines: stdout.split('\n').slice(0, 2) }).toEqual({
      code: 0,
      lines: [`This is ${note}`, 'Deleting Machine fleet/worker-1'],
    });
    const again = await atHome(undefined);
    const asJson = await again.plan('fleet/worker-1', '-o', 'json');
    expect(parsed<{ notes: string[] }>(asJson.stdout).notes).toEqual([note.replace(folder, again.folder)]);
  });

  it('says so as well where the example has no such Machine', async () => {
    const { plan } = await atHome(undefined);
    const { code, stdout, stderr } = await plan('prod/md-1');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('there is no Namespace "prod"');
    expect(stderr).toContain('\nThis is the example fleet, as there is no kubeconfig: ');
  });

  it('says nothing of the kind where the example is asked for', async () => {
    const { plan } = await atHome(undefined);
    expect(await plan('fleet/worker-1', '--example')).toMatchObject({
      code: 0,
      first: 'Deleting Machine fleet/worker-1',
    });
  });

  it.each([
    ['one without contexts', '{}', 'it has no current context'],
    ['a text that is none', '- a', 'it is no kubeconfig'],
  ])('does not take the example for a kubeconfig that cannot be used: %s', async (_, text, message) => {
    const { plan } = await atHome(text);
    const { code, stdout, stderr } = await plan('fleet/worker-1');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('does not take the example where KUBECONFIG names a file that is missing', async () => {
    const { outside, written } = await anOutside({ env: { KUBECONFIG: '/nowhere' } });
    expect(await main(['plan', 'fleet/worker-1'], outside)).toBe(2);
    expect(written.stderr).toContain('KUBECONFIG names /nowhere, which does not exist');
  });
});
