import { describe, expect, test } from 'vitest';
import { commands } from '../../../../infra/cli/commands.ts';
import { completed } from '../../../../infra/cli/completion/completed.ts';
import { parseArguments } from '../../../../infra/terminal/parse-arguments.ts';
import { phaseout } from '../outside.ts';

const completedIn = async (typed: string[]) =>
  completed(typed, commands, await commands.get(typed[0] ?? '')?.load());

const words = async (...typed: string[]) => (await completedIn(typed)).candidates.map(({ word }) => word);

describe('what may stand in place of the last word', () => {
  test.each<[string, string[], string[]]>([
    ['a command', ['pl'], ['plan']],
    ['an option before any command', ['--v'], ['--version']],
    ['a command to be helped with', ['help', 'rel'], ['release']],
    ['an option', ['plan', '--load'], ['--load', '--load-workload']],
    ['an option behind a Machine', ['plan', 'fleet/worker-1', '--exa'], ['--example']],
    [
      'what an option takes',
      ['plan', '--example', ''],
      ['capi', 'openshift', 'v1alpha1', 'hooks', 'policies'],
    ],
    ['what an option takes, begun', ['run', '--mode', 'b'], ['beside']],
    ['what an option takes behind a sign', ['run', '--mode=r'], ['--mode=replace']],
    ['what a short option takes', ['run', '-o', ''], ['json']],
    [
      'an option to take back what is so by default',
      ['deploy', '--no-'],
      ['--no-drain-rules', '--no-policies', '--no-deletion-hooks', '--no-drain-policies'],
    ],
    ['a shell', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['what is done with a hook of your own', ['hook', ''], ['new', 'test']],
    ['a language', ['hook', 'new', 'osd', '--language', ''], ['typescript', 'python']],
    ['nothing behind a value', ['plan', '--example', 'capi', ''], []],
    ['nothing behind a switch', ['run', '--serve', ''], []],
    ['nothing for a command that there is not', ['dance', ''], []],
    ['nothing for an option that there is not', ['plan', '--dance', ''], []],
  ])('is %s', async (_, typed, expected) => {
    expect(await words(...typed)).toEqual(expected);
  });

  test.each<[string[], boolean]>([
    [['plan', '--load', ''], true],
    [['plan', '--load', 'a.yaml', 'b'], true],
    [['plan', '--load=a'], true],
    [['plan', '--kubeconfig', 'a', ''], false],
    [['package', '--out', ''], true],
    [['plan', ''], false],
    [[''], false],
  ])('%j may be a file: %s', async (typed, isFile) => {
    expect((await completedIn(typed)).isFile).toBe(isFile);
  });

  const place = { kubeconfig: undefined, context: undefined, namespace: undefined, begun: undefined };

  test.each<[string, string[], object]>([
    ['a Machine of plan', ['plan', ''], { kind: 'machines' }],
    ['a Machine that is begun', ['explain', 'fleet/wo'], { kind: 'machines', begun: 'fleet' }],
    ['a Machine of an API', ['explain', 'capi:fleet/wo'], { kind: 'machines', begun: 'fleet' }],
    ['a Machine of a namespace', ['history', '-n', 'fleet', ''], { kind: 'machines', namespace: 'fleet' }],
    ['another Machine of release', ['release', 'a/b', ''], { kind: 'machines' }],
    [
      'a Machine of the cluster that is said',
      ['plan', '--kubeconfig', 'k', '--context=c', ''],
      { kind: 'machines', kubeconfig: 'k', context: 'c' },
    ],
    [
      'a Machine to delete on a real cluster',
      ['run', '--kubeconfig', 'k', '--delete', 'a/b', ''],
      { kind: 'machines', kubeconfig: 'k' },
    ],
    ['a namespace', ['status', '-n', ''], { kind: 'namespaces' }],
    ['a context', ['hooks', '--context', 'p'], { kind: 'contexts' }],
    [
      'a context of the workload kubeconfig',
      ['plan', 'a/b', '--kubeconfig', 'k', '--workload-kubeconfig', 'w', '--workload-context', ''],
      { kind: 'contexts', kubeconfig: 'w' },
    ],
  ])('is asked for where it is %s', async (_, typed, asked) => {
    expect((await completedIn(typed)).asks).toEqual({ asked: { ...place, ...asked }, prefix: '' });
  });

  test('is asked for behind a sign, and is offered with what stands before it', async () => {
    const { asks } = await completedIn(['plan', '--context=p']);
    expect(asks).toEqual({ asked: { ...place, kind: 'contexts' }, prefix: '--context=' });
  });

  test.each([
    ['a second Machine of plan', ['plan', 'a/b', '']],
    ['a Machine of a dump', ['plan', '--load=a', '']],
    ['a Machine of an example', ['plan', '--example', 'capi', '']],
    ['a Machine of the local cluster', ['run', '--delete', '']],
    ['a value of another option', ['plan', '--output', '']],
    ['an option', ['plan', '-']],
  ])('asks nobody for %s', async (_, typed) => {
    expect((await completedIn(typed)).asks).toBeUndefined();
  });

  test('has a meaning, as the help tells it', async () => {
    const { candidates } = await completedIn(['plan', '--load-']);
    expect(candidates).toEqual([
      {
        word: '--load-workload',
        meaning: 'the same of a workload cluster: then no Node or Pod of --load counts ...',
      },
    ]);
    const first = (await completedIn([''])).candidates;
    expect(first.filter(({ meaning }) => meaning === '')).toEqual([
      { word: 'help', meaning: '' },
      { word: '--help', meaning: '' },
      { word: '--version', meaning: '' },
    ]);
  });

  test.each([...commands])('of %s is understood by it, whichever option it is', async (name, { load }) => {
    const { options } = await load();
    for (const option of (await words(name, '--')).filter((word) => word !== '--help')) {
      const key = option.replace(/^--/, '');
      const value = options[key]?.choices?.[0] ?? 'x';
      const isSwitch = (options[key] ?? options[key.replace(/^no-/, '')])?.type === 'boolean';
      expect(() => parseArguments(isSwitch ? [option] : [option, value], options)).not.toThrow();
    }
  });
});

describe('phaseout completion', () => {
  test('answers as kubectl reads it', async () => {
    expect(await phaseout('completion', '--', 'plan', '--example', 'o')).toMatchObject({
      code: 0,
      stdout: 'openshift\n:4\n',
    });
    expect(await phaseout('completion', '--', 'plan', '--load', '--help', '')).toMatchObject({
      code: 0,
      stdout: ':4\n',
    });
  });

  test.each([[[]], [['tcsh']], [['bash', 'zsh']]])('does not understand %j', async (args) => {
    const { code, stderr } = await phaseout('completion', ...args);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'phaseout: completion needs the name of a shell: bash, zsh, fish\nTry: phaseout completion --help\n',
    });
  });
});
