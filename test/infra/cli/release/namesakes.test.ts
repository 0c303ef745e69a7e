import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { openShiftDefinitions } from '../../../../infra/local/kubernetes/crds/openshift.ts';
import { recordAt } from '../../../../shared/dialects/fields.ts';
import { aStage, hook } from '../../hook/stage.ts';
import { anOutside } from '../outside.ts';

const openShiftMachines = 'machines.machine.openshift.io';
const ours = { name: 'phaseout', owner: 'phaseout.dev' };

/** Cluster API has the Machines fleet/a and fleet/b, OpenShift has fleet/a. All have our hook. */
async function released(...args: string[]) {
  const { cluster, kubeconfig, annotations } = await aStage({
    a: { isDeleting: true },
    b: { isDeleting: true },
  });
  for (const definition of openShiftDefinitions)
    cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  cluster.create(openShiftMachines, {
    metadata: { name: 'a', namespace: 'fleet', finalizers: ['machine.machine.openshift.io'] },
    spec: { providerSpec: { value: {} }, lifecycleHooks: { preDrain: [ours] } },
  });
  const { outside, written, folder } = await anOutside();
  const path = join(folder, 'kubeconfig');
  await writeFile(path, kubeconfig);
  const code = await main(['release', ...args], { ...outside, env: { KUBECONFIG: path } });
  const machine = cluster.get(openShiftMachines, 'fleet', 'a');
  const left = {
    capi: ['a', 'b'].filter((name) => hook in annotations(name)),
    openShift: recordAt(machine, 'spec', 'lifecycleHooks')['preDrain'],
  };
  return { code, stderr: written.stderr, lines: written.stdout.trimEnd().split('\n'), left };
}

describe('release, where two Machine APIs have Machines of one name', () => {
  it('does not guess which is meant, and releases none of those that were named', async () => {
    const { code, stderr, left } = await released('capi:fleet/b', 'fleet/a');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Machine fleet/a is in several Machine APIs; say which: capi:fleet/a or openshift:fleet/a\n',
    );
    expect(left).toEqual({ capi: ['a', 'b'], openShift: [ours] });
  });

  it.each([
    ['capi', { capi: ['b'], openShift: [ours] }],
    ['openshift', { capi: ['a', 'b'], openShift: [] }],
  ])('takes the hook off that of %s alone', async (api, left) => {
    expect(await released(`${api}:fleet/a`)).toEqual({
      code: 0,
      stderr: '',
      lines: [`released  Machine ${api}:fleet/a`, '1 Machine released'],
      left,
    });
  });

  it('finds the one Machine of a name without its API', async () => {
    const { code, lines } = await released('fleet/b');
    expect({ code, lines }).toEqual({
      code: 0,
      lines: ['released  Machine capi:fleet/b', '1 Machine released'],
    });
  });

  it('--all names each with its API', async () => {
    const { lines, left } = await released('--all');
    expect(lines.toSorted()).toEqual([
      '3 Machines released',
      'released  Machine capi:fleet/a',
      'released  Machine capi:fleet/b',
      'released  Machine openshift:fleet/a',
    ]);
    expect(left).toEqual({ capi: [], openShift: [] });
  });
});
