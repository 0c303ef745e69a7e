import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { v1alpha1Definitions } from '../../../../infra/local/kubernetes/crds/v1alpha1.ts';
import { kubeconfigFor } from '../../../../infra/local/load/kubeconfigs.ts';
import { anOutside } from '../outside.ts';
import { aCommandLine, image, nowhere } from './command-line.ts';
import { aMachine } from './machine.ts';

// What the command line names reaches what it is about.

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';

/** Two contexts. The current one leads nowhere. */
const withContexts = (kubeconfig: string): string =>
  kubeconfig
    .replace('current-context: phaseout', 'current-context: elsewhere')
    .replace('contexts:', 'contexts:\n  - name: elsewhere\n    context: { cluster: nowhere, user: phaseout }')
    .replace('clusters:', `clusters:\n  - name: nowhere\n    cluster: { server: '${nowhere}' }`);

describe('which cluster', () => {
  it('is that of --context, whatever the current one is', async () => {
    const { runWith, cluster } = await aCommandLine();
    const text = withContexts(cluster.kubeconfig);
    const elsewhere = await runWith(text, 'deploy', ...image);
    expect({ code: elsewhere.code, stderr: elsewhere.stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(nowhere),
    });
    expect((await runWith(text, 'deploy', ...image, '--context', 'phaseout')).code).toBe(0);
    expect((await runWith(text, 'remove')).code).toBe(1);
    expect((await runWith(text, 'remove', '--context', 'phaseout')).code).toBe(0);
    const { folder } = await anOutside();
    const path = join(folder, 'given');
    await writeFile(path, text);
    const plan = ['plan', 'fleet/a', '--kubeconfig', path];
    expect((await runWith(text, ...plan)).stderr).toContain(`${nowhere}: connect`);
    const there = await runWith(text, ...plan, '--context', 'phaseout');
    expect(there.stderr).toContain('there is no Namespace "fleet"');
    expect(there.stderr).not.toContain(`${nowhere}: connect`);
  });

  it('is that of --kubeconfig, whatever KUBECONFIG names', async () => {
    const { runWith, cluster } = await aCommandLine();
    const { folder } = await anOutside();
    const path = join(folder, 'given');
    await writeFile(path, cluster.kubeconfig);
    const given = await runWith(kubeconfigFor(nowhere), 'deploy', ...image, '--kubeconfig', path);
    expect({ code: given.code, stderr: given.stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('remove', () => {
  it('leaves no deletion behind unless it is told to', async () => {
    const { run, cluster } = await aCommandLine();
    await run('deploy', ...image, '--mode', 'replace', '--force-mode');
    aMachine(cluster, 'a');
    const refused = await run('remove');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('fleet/a');
    expect((await run('remove', '--abandon')).code).toBe(0);
  });

  it('leaves the rules of users where they are unless it is told to', async () => {
    const { run, api } = await aCommandLine({ machines: 'v1alpha1' });
    const isThere = () => api.get(definitions, undefined, 'machinedrainrules.cluster.x-k8s.io') !== undefined;
    await run('deploy', ...image);
    await run('remove');
    expect(isThere()).toBe(true);
    await run('deploy', ...image);
    await run('remove', '--with-data');
    expect(isThere()).toBe(false);
  });
});

describe('deploy again', () => {
  it.each<[what: string, first: string[], again: string[], why: string, knowing: string[]]>([
    ['--namespaces', ['--namespaces', 'fleet'], [], '--namespaces', ['--all-namespaces']],
    [
      '--machine-apis',
      ['--machine-apis', 'v1alpha1'],
      [],
      '--machine-apis',
      ['--machine-apis', 'capi,v1alpha1'],
    ],
    [
      'the watch filter',
      ['--set', 'PHASEOUT_WATCH_FILTER=ours'],
      ['--set', 'PHASEOUT_LOG_LEVEL=debug'],
      'PHASEOUT_WATCH_FILTER',
      ['--set', 'PHASEOUT_WATCH_FILTER='],
    ],
  ])('does not forget %s', async (_what, first, again, why, knowing) => {
    const { run, api } = await aCommandLine();
    for (const definition of v1alpha1Definitions) api.create(definitions, definition);
    api.create('namespaces', { metadata: { name: 'fleet' } });
    expect((await run('deploy', ...image, ...first)).code).toBe(0);
    const forgotten = await run('deploy', ...image, ...again);
    expect(forgotten.code).toBe(1);
    expect(forgotten.stderr).toContain(why);
    expect((await run('deploy', ...image, ...knowing)).code).toBe(0);
  });
});
