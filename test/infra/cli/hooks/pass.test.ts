import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../../infra/cli/main.ts';
import { askedOn, hooksAnnotation, serializeAsked } from '../../../../shared/hooks/asked.ts';
import { anAsked } from '../../../builders/asked.ts';
import { aStage, machines } from '../../hook/stage.ts';
import { anOutside } from '../outside.ts';

const begin = '2026-01-01T10:00:00.000Z';

/** Runs the command for a Machine that waits for `move-data`, and then for `wipe`. */
async function passed(...args: string[]) {
  const stage = await aStage({ a: { isDeleting: true }, b: { isDeleting: true } });
  const { cluster } = stage;
  const machine = cluster.get(machines, 'fleet', 'a')!;
  const { uid = '' } = machine.metadata;
  const wipe = anAsked({ name: 'wipe', uid: 'uid-of-wipe', order: 10 });
  const text = serializeAsked(uid, [anAsked({ begin }), wipe]);
  cluster.patch(machines, machine, { metadata: { annotations: { [hooksAnnotation]: text } } });
  const { outside, written, folder } = await anOutside();
  const path = join(folder, 'kubeconfig');
  await writeFile(path, stage.kubeconfig);
  const code = await main(['hooks', 'pass', ...args], { ...outside, env: { KUBECONFIG: path } });
  const { annotations = {} } = cluster.get(machines, 'fleet', 'a')!.metadata;
  const ref = { apiVersion: '', namespace: 'fleet', name: 'a', uid };
  return { code, ...written, hooks: askedOn({ annotations, ref }) };
}

const because = ['--because', 'the disk is lost'];

describe('hooks pass', () => {
  it('writes down who lets the Machine go on, and why', async () => {
    const { code, stdout, stderr, hooks } = await passed('fleet/a', 'move-data', ...because);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'Machine fleet/a no longer waits for DeletionHook move-data\n',
      stderr: '',
    });
    expect(hooks.map(({ name, end }) => [name, end?.as, end?.why])).toEqual([
      ['move-data', 'Passed', 'the disk is lost'],
      ['wipe', undefined, undefined],
    ]);
    expect(hooks[0]?.end?.by).not.toBe('');
  });

  it.each<[what: string, args: string[], code: number, why: string]>([
    ['without a reason', ['fleet/a', 'move-data'], 2, 'hooks pass needs --because'],
    ['without a name', ['fleet/a', ...because], 2, 'the name of a DeletionHook'],
    [
      'a hook that it does not wait for',
      ['fleet/a', 'backup', ...because],
      1,
      'Machine fleet/a does not wait for DeletionHook backup (it waits for move-data, wipe)',
    ],
    ['a Machine that waits for none', ['fleet/b', 'move-data', ...because], 1, '(it waits for none)'],
    ['a Machine that is not there', ['fleet/c', 'move-data', ...because], 1, 'fleet/c'],
  ])('refuses %s', async (_what, args, expected, why) => {
    const { code, stderr, hooks } = await passed(...args);
    expect(code).toBe(expected);
    expect(stderr).toContain(why);
    expect(hooks.every(({ end }) => end === undefined)).toBe(true);
  });
});
