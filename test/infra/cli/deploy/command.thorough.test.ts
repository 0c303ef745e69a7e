import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { v1alpha1Definitions } from '../../../../infra/local/kubernetes/crds/v1alpha1.ts';
import { anOutside, parsed, phaseout } from '../outside.ts';
import { aCommandLine, image } from './command-line.ts';

describe('what serverless.yml renders', () => {
  it('is deployed, found unchanged, changed, and removed without a trace', async () => {
    const { run, api } = await aCommandLine();
    const first = await run('deploy', ...image);
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(first.lines).toContain('created   Knative Service phaseout/phaseout');
    expect(first.lines).toContain('created   ValidatingAdmissionPolicy machine-drain-rules.phaseout.dev');
    expect(first.lines).toContain('created   CustomResourceDefinition deletionhooks.phaseout.dev');
    expect(first.lines).toContain('created   Secret phaseout/phaseout-hook-key');
    expect(first.lines.at(-1)).toMatch(/^\d+ created; all is ready after /);
    const made = api.get('secrets', 'phaseout', 'phaseout-hook-key');

    const second = await run('deploy', ...image);
    expect(second.lines).toContainEqual(expect.stringMatching(/^unchanged \d\d objects$/));
    expect(second.lines.at(-1)).toMatch(/^\d+ unchanged; all is ready after /);
    expect(api.get('secrets', 'phaseout', 'phaseout-hook-key')).toEqual(made);

    const third = await run('deploy', ...image, '--set', 'PHASEOUT_LOG_LEVEL=debug', '-o', 'json');
    const changed = third.lines
      .map((line) => parsed<{ change?: string; object?: string }>(line))
      .filter(({ change }) => change === 'changed');
    expect(changed.map(({ object }) => object)).toEqual([
      'ConfigMap phaseout/phaseout',
      'Knative Service phaseout/phaseout',
    ]);

    const fourth = await run('deploy', ...image, '--dry-run');
    expect({ code: fourth.code, stderr: fourth.stderr }).toEqual({
      code: 0,
      stderr:
        'phaseout: warning: variables lose the values that they were installed with (--set NAME=VALUE keeps one): PHASEOUT_LOG_LEVEL: debug -> info\n',
    });
    expect(fourth.lines.at(-1)).toContain('nothing was done: a dry run');
    expect(api.get('configmaps', 'phaseout', 'phaseout')).toMatchObject({
      data: { PHASEOUT_LOG_LEVEL: 'debug' },
    });

    const last = await run('remove');
    expect({ code: last.code, stderr: last.stderr }).toEqual({ code: 0, stderr: '' });
    expect(last.lines).toContain(
      'CustomResourceDefinition deletionhooks.phaseout.dev stays, with what is in it (--with-data takes it)',
    );
    const left = api.resources().filter((key) => !key.startsWith('customresourcedefinitions'));
    expect(left.flatMap((key) => api.list(key, { labelSelector: 'app.kubernetes.io/managed-by' }))).toEqual(
      [],
    );
    expect(api.get('namespaces', undefined, 'phaseout')).toBeUndefined();
  });
});

/** What an earlier installation lacks. */
const newLabels = ['app.kubernetes.io/instance', 'app.kubernetes.io/version'];

it('brings what has no label of its version up to date, and replaces no object and no Pod', async () => {
  const { run, api } = await aCommandLine();
  await run('deploy', ...image);
  const without = Object.fromEntries(newLabels.map((name) => [name, null]));
  const key = 'services.serving.knative.dev';
  for (const resource of [key, 'jobs.batch', 'configmaps', 'triggers.eventing.knative.dev'])
    for (const object of api.list(resource, { labelSelector: 'app.kubernetes.io/managed-by=phaseout' }))
      api.patch(resource, object, { metadata: { labels: without } });
  const before = api.get(key, 'phaseout', 'phaseout');
  const { code, lines } = await run('deploy', ...image, '-o', 'json');
  const told = lines.map((line) => parsed<{ change?: string; fields?: { field: string }[] }>(line));
  const fields = told.flatMap((line) => (line.change === 'changed' ? (line.fields ?? []) : []));
  expect({ code, changes: [...new Set(told.flatMap(({ change = [] }) => change))].toSorted() }).toEqual({
    code: 0,
    changes: ['changed', 'unchanged'],
  });
  expect([...new Set(fields.map(({ field }) => field))].toSorted()).toEqual(
    newLabels.map((name) => `metadata.labels["${name}"]`),
  );
  expect(api.get(key, 'phaseout', 'phaseout')?.['spec']).toEqual(before?.['spec']);
});

it('takes what belongs to others only where it is told to', async () => {
  const { run, api } = await aCommandLine();
  await run('deploy', ...image);
  const configMap = api.get('configmaps', 'phaseout', 'phaseout');
  if (configMap === undefined) throw new Error('no ConfigMap');
  api.patch('configmaps', configMap, { data: { PHASEOUT_LOG: 'text' } });
  const refused = await run('deploy', ...image);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/\.data\.PHASEOUT_LOG belongs to .* \(--force-conflicts takes it\)/);
  expect((await run('deploy', ...image, '--force-conflicts')).code).toBe(0);
});

it('looks after the Machine APIs that are named, of all that are served', async () => {
  const { run, api } = await aCommandLine();
  for (const definition of v1alpha1Definitions)
    api.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  const { code, lines } = await run('deploy', ...image, '--machine-apis', 'v1alpha1');
  expect(code).toBe(0);
  expect(lines).toContain(
    'Machine APIs: v1alpha1 (cluster.k8s.io/v1alpha1); served, but not looked after: capi',
  );
  expect(api.get('configmaps', 'phaseout', 'phaseout')).toMatchObject({
    data: { PHASEOUT_MACHINE_APIS: 'v1alpha1' },
  });
});

it('waits until all is ready for as long as it is told to', async () => {
  const { run } = await aCommandLine({ holding: { drain: 'no Broker' } });
  const { code, stderr } = await run('deploy', ...image, '--timeout', '1');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'phaseout: 1 object is not ready:\n  Trigger phaseout/drain: NotYet: no Broker\n',
  });
});

describe('a cluster that is not fit for it', () => {
  it('is told with code 1', async () => {
    const { run } = await aCommandLine({ eventing: undefined });
    const { code, stderr } = await run('deploy', ...image);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^phaseout: Knative Eventing is not installed/),
    });
  });

  it('is left with code 130 when it was interrupted', async () => {
    const { interrupted, api } = await aCommandLine();
    expect((await interrupted('deploy', ...image)).code).toBe(130);
    expect(api.get('namespaces', undefined, 'phaseout')).toBeUndefined();
  });
});

describe('a command line that is wrong', () => {
  it.each<[string, string[], string]>([
    ['no image', ['deploy'], 'deploy needs --image'],
    ['an image with a space', ['deploy', '--image', 'a b'], '--image takes an image, not "a b"'],
    [
      'a Machine API that is none',
      ['deploy', ...image, '--machine-apis', 'capi,aws'],
      'there is no Machine API "aws" (there are capi, openshift, v1alpha1)',
    ],
    ['a name that is none', ['deploy', ...image, '--namespace', 'A'], '--namespace: "A" must be lower-case'],
    [
      'an empty name',
      ['deploy', ...image, '--namespaces', 'a,,b'],
      '--namespaces takes names with commas between them, not "a,,b"',
    ],
    [
      'some namespaces and all',
      ['deploy', ...image, '--namespaces', 'a', '--all-namespaces'],
      '--namespaces and --all-namespaces exclude each other',
    ],
    ['no value', ['deploy', ...image, '--set', 'A'], '--set takes NAME=VALUE, not "A"'],
    [
      'a variable that nobody reads',
      ['deploy', ...image, '--set', 'PHASEOUT_TABEL=x'],
      '--set PHASEOUT_TABEL: is no variable that the functions read',
    ],
    [
      'a value that is wrong',
      ['deploy', ...image, '--set', 'PHASEOUT_WAKE_UPS=x'],
      '--set PHASEOUT_WAKE_UPS: PHASEOUT_WAKE_UPS must be true or false, not "x"',
    ],
    ['a file that is missing', ['deploy', ...image, '--file', 'x.yml'], 'x.yml: no such file or directory'],
    ['no cluster', ['deploy', ...image], 'no cluster is named: set --kubeconfig FILE or KUBECONFIG'],
    ['no cluster to remove from', ['remove'], 'no cluster is named: set --kubeconfig FILE or KUBECONFIG'],
    ['something to remove', ['remove', 'x'], 'unexpected argument "x"'],
  ])('%s: code 2', async (_, args, message) => {
    const { code, stdout, stderr } = await phaseout(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`phaseout: ${message}`);
  });

  it('several kubeconfigs: code 2', async () => {
    const { outside, written } = await anOutside({ env: { KUBECONFIG: 'a:b' } });
    expect(await main(['remove'], outside)).toBe(2);
    expect(written.stderr).toContain('KUBECONFIG names several files: choose one with --kubeconfig');
  });

  it('a serverless.yml with mistakes: code 2 and each with its line', async () => {
    const { outside, written, folder } = await anOutside();
    await writeFile(join(folder, 'mine.yml'), 'service: phaseout\nprovider: 1\n');
    const code = await main(['deploy', ...image, '--file', 'mine.yml'], outside);
    expect({ code, stdout: written.stdout }).toEqual({ code: 2, stdout: '' });
    expect(written.stderr).toMatch(/^phaseout: mine\.yml:\d+: .*\nmine\.yml:2: provider: /);
  });
});
