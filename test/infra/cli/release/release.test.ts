import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { release } from '../../../../infra/cli/release/release.ts';
import { kubeconfigFor } from '../../../../infra/local/load/kubeconfigs.ts';
import { connectTools } from '../../../../shared/adapters/kubernetes/install-client.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { aStage, blueHook, type GivenMachine, hook, machines } from '../../hook/stage.ts';
import { anOutside } from '../outside.ts';

/** Runs the command against a cluster that has these Machines. */
async function released(given: Record<string, GivenMachine>, ...args: string[]) {
  const stage = await aStage(given);
  return { ...stage, ...(await runAt(stage, ...args)) };
}

async function runAt({ kubeconfig }: { kubeconfig: string }, ...args: string[]) {
  const { outside, written, folder } = await anOutside();
  const path = join(folder, 'kubeconfig');
  await writeFile(path, kubeconfig);
  const code = await main(['release', ...args], { ...outside, env: { KUBECONFIG: path } });
  return { code, stderr: written.stderr, lines: written.stdout.trimEnd().split('\n') };
}

const deleting: GivenMachine = { isDeleting: true };
const living: GivenMachine = {};
const marked = { 'phaseout.dev/released': 'true' };

describe('release --all', () => {
  it('takes our hook off every Machine that has it, and off no other', async () => {
    const given = {
      a: living,
      b: deleting,
      c: { annotations: {} },
      d: { annotations: { [blueHook]: 'phaseout.dev' } },
      e: { namespace: 'other' },
    };
    const { code, stderr, lines, annotations } = await released(given, '--all');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines.toSorted()).toEqual([
      '3 Machines released',
      'released  Machine fleet/a',
      'released  Machine fleet/b',
      'released  Machine other/e',
    ]);
    expect(annotations('a')).toEqual(marked);
    expect(annotations('b')).toEqual({});
    expect(annotations('c')).toEqual({});
    expect(annotations('d')).toEqual({ [blueHook]: 'phaseout.dev' });
    expect(annotations('e', 'other')).toEqual(marked);
  });

  it.each<[string, string[], string[]]>([
    ['of one namespace', ['--namespace', 'other'], ['released  Machine other/b', '1 Machine released']],
    ['of one installation', ['--installation', 'blue'], ['released  Machine fleet/c', '1 Machine released']],
    ['of a namespace without any', ['--namespace', 'phaseout'], ['0 Machines released']],
  ])('%s leaves the others', async (_, args, expected) => {
    const given = {
      a: living,
      b: { namespace: 'other' },
      c: { annotations: { [blueHook]: 'phaseout.dev' } },
    };
    const { code, lines } = await released(given, '--all', ...args);
    expect({ code, lines }).toEqual({ code: 0, lines: expected });
  });

  it('tells of a hook with the value of somebody else, and leaves it', async () => {
    const given = { a: { annotations: { [hook]: 'team/me' } } };
    const { code, lines, annotations } = await released(given, '--all');
    expect({ code, lines }).toEqual({
      code: 0,
      lines: [
        `Machine fleet/a keeps ${hook}: its value "team/me" says that it is not phaseout's`,
        '0 Machines released',
      ],
    });
    expect(annotations('a')).toEqual({ [hook]: 'team/me' });
  });

  it('--dry-run writes nothing', async () => {
    const { code, lines, annotations } = await released({ a: living }, '--all', '--dry-run');
    expect({ code, lines }).toEqual({
      code: 0,
      lines: ['released  Machine fleet/a', '1 Machine to release; a dry run'],
    });
    expect(annotations('a')).toEqual({ [hook]: 'phaseout.dev' });
  });

  it('the second time has nothing to do', async () => {
    const stage = await aStage({ a: living });
    await runAt(stage, '--all');
    expect(await runAt(stage, '--all')).toMatchObject({ code: 0, lines: ['0 Machines released'] });
  });

  it('as JSON has one line for each', async () => {
    const { lines } = await released({ a: deleting }, '--all', '-o', 'json');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'object', change: 'released', object: 'Machine fleet/a' },
      { event: 'done', text: '1 Machine released' },
    ]);
  });
});

describe('release of Machines by name', () => {
  it('leaves the others', async () => {
    const { code, lines, annotations } = await released({ a: deleting, b: deleting }, 'fleet/a');
    expect({ code, lines }).toEqual({ code: 0, lines: ['released  Machine fleet/a', '1 Machine released'] });
    expect(annotations('b')).toEqual({ [hook]: 'phaseout.dev' });
  });

  it('keeps the hook away from a living one that does not have it yet', async () => {
    const { code, annotations } = await released({ a: { annotations: {} } }, 'fleet/a');
    expect(code).toBe(0);
    expect(annotations('a')).toEqual(marked);
  });

  it('says where there was none', async () => {
    const { code, lines } = await released({ a: { annotations: marked } }, 'fleet/a');
    expect({ code, lines }).toEqual({
      code: 0,
      lines: [`Machine fleet/a does not have ${hook}`, '0 Machines released'],
    });
  });

  it('does nothing where one does not exist', async () => {
    const { code, stderr, annotations } = await released({ a: living }, 'fleet/a', 'fleet/b');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'phaseout: there is no Machine fleet/b. Did you mean fleet/a? (of 1 Machine)\n',
    });
    expect(annotations('a')).toEqual({ [hook]: 'phaseout.dev' });
  });

  it('fails where the hook is not ours', async () => {
    const given = { a: { annotations: { [hook]: 'team/me' } }, b: deleting };
    const { code, stderr, lines } = await released(given, 'fleet/a', 'fleet/b');
    expect({ code, lines }).toEqual({ code: 1, lines: ['released  Machine fleet/b', '1 Machine released'] });
    expect(stderr).toBe(
      `phaseout: warning: Machine fleet/a keeps ${hook}: its value "team/me" says that it is not phaseout's\nphaseout: 1 Machine could not be released: fleet/a\n`,
    );
  });
});

/** In a Cluster with a control plane: `old` and `new` name one Node, which is that of `new`. */
async function aStageOfTwo() {
  const stage = await aStage({ old: deleting, new: {}, fine: deleting, cp: { annotations: {} } });
  const { cluster, url } = stage;
  const labels = { 'cluster.x-k8s.io/cluster-name': 'blue' };
  const give = (name: string, node: string, more: Record<string, string> = {}): void => {
    const machine = { metadata: { namespace: 'fleet', name } };
    const metadata = { ...machine.metadata, labels: { ...labels, ...more } };
    cluster.patch(machines, machine, { metadata, spec: { providerID: `x://${name}` } });
    cluster.patch(machines, machine, { status: { nodeRef: { name: node } } }, 'status');
  };
  give('old', 'n1');
  give('new', 'n1');
  give('fine', 'n2');
  give('cp', 'n3', { 'cluster.x-k8s.io/control-plane': '' });
  for (const [name, server] of Object.entries({ n1: 'new', n2: 'fine', n3: 'cp' }))
    cluster.create('nodes', { metadata: { name }, spec: { providerID: `x://${server}` } });
  const value = Buffer.from(kubeconfigFor(url)).toString('base64');
  cluster.create('secrets', { metadata: { namespace: 'fleet', name: 'blue-kubeconfig' }, data: { value } });
  return stage;
}

describe('a Machine that names the Node of another one', () => {
  const names = "is another server's and is left alone: it has providerID x://new";

  it('is left by --all, and named', async () => {
    const stage = await aStageOfTwo();
    const { code, stderr, lines } = await runAt(stage, '--all');
    expect({ code, lines: lines.toSorted() }).toEqual({
      code: 0,
      lines: ['2 Machines released', 'released  Machine fleet/fine', 'released  Machine fleet/new'],
    });
    expect(stderr).toContain(`warning: Machine fleet/old is left, unless it is named: Node n1 ${names}`);
    expect(stage.annotations('old')).toEqual({ [hook]: 'phaseout.dev' });
  });

  it('goes where it is named, and it is said what follows', async () => {
    const stage = await aStageOfTwo();
    const { code, stderr, lines } = await runAt(stage, 'fleet/old', 'fleet/fine');
    expect({ code, lines: lines.toSorted() }).toEqual({
      code: 0,
      lines: ['2 Machines released', 'released  Machine fleet/fine', 'released  Machine fleet/old'],
    });
    expect(stderr).toContain(`warning: Machine fleet/old is let go all the same: Node n1 ${names}`);
    expect(stderr).not.toContain('fleet/fine');
    expect(stage.annotations('old')).toEqual({});
  });

  it('is named by a dry run too, and nothing goes', async () => {
    const stage = await aStageOfTwo();
    const { stderr } = await runAt(stage, '--all', '--dry-run');
    expect(stderr).toContain('Machine fleet/old is left, unless it is named');
    expect(stage.annotations('fine')).toEqual({ [hook]: 'phaseout.dev' });
  });
});

describe('a Machine that may not be changed', () => {
  it('is named, and the others are released', async () => {
    const stage = await aStage({ a: deleting, b: deleting });
    const { site, told } = siteAt(stage);
    const { kubernetes } = site;
    const jsonPatch: typeof kubernetes.jsonPatch = async (resource, key, operations) =>
      key.name === 'a'
        ? { kind: 'refused', code: 403, message: 'may not' }
        : kubernetes.jsonPatch(resource, key, operations);
    const releasing = release({ ...site, kubernetes: { ...kubernetes, jsonPatch } }, all);
    await expect(releasing).rejects.toThrow('1 Machine could not be released: fleet/a');
    expect(told.toSorted()).toEqual([
      '1 Machine released',
      `Machine fleet/a keeps ${hook}: may not`,
      'released Machine fleet/b',
    ]);
  });

  it('is not begun with once somebody has interrupted it', async () => {
    const stage = await aStage({ a: deleting });
    const { site } = siteAt(stage, AbortSignal.abort());
    expect(await release(site, all)).toBe('interrupted');
    expect(stage.annotations('a')).toEqual({ [hook]: 'phaseout.dev' });
  });
});

const all = { released: {}, installation: '', isDryRun: false };

function siteAt({ kubeconfig }: { kubeconfig: string }, interrupted = new AbortController().signal) {
  const told: string[] = [];
  const kubernetes = connectTools(loadKubeConfig({ text: kubeconfig }), { clock: systemClock });
  onTestFinished(() => kubernetes.close());
  const tell: Parameters<typeof release>[0]['tell'] = (one) => {
    if (one.event === 'object') told.push(`${one.change} ${one.object}`);
    else if ('text' in one) told.push(one.text);
  };
  return { site: { kubernetes, where: 'here', interrupted, tell, othersNode: async () => undefined }, told };
}

it('a cluster without Cluster API has none to release', async () => {
  const stage = await aStage({});
  for (const { metadata } of stage.cluster.list('customresourcedefinitions.apiextensions.k8s.io')) {
    const there = stage.cluster.get(
      'customresourcedefinitions.apiextensions.k8s.io',
      undefined,
      metadata.name,
    );
    if (there !== undefined) stage.cluster.remove('customresourcedefinitions.apiextensions.k8s.io', there);
  }
  const { code, stderr } = await runAt(stage, '--all');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `phaseout: ${stage.url} serves no Machines of cluster.x-k8s.io or machine.openshift.io\n`,
  });
});
