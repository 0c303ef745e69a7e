import { describe, expect, test } from 'vitest';
import { commands } from '../../../../infra/cli/commands.ts';
import { completed } from '../../../../infra/cli/completion/completed.ts';
import { parseArguments } from '../../../../infra/terminal/parse-arguments.ts';
import { phaseout } from '../outside.ts';

const words = (...typed: string[]) => completed(typed, commands).candidates.map(({ word }) => word);

describe('what may stand in place of the last word', () => {
  test.each<[string, string[], string[]]>([
    ['a command', ['pl'], ['plan']],
    ['an option before any command', ['--v'], ['--version']],
    ['a command to be helped with', ['help', 'rel'], ['release']],
    ['an option', ['plan', '--load'], ['--load', '--load-workload']],
    ['an option behind a Machine', ['plan', 'fleet/worker-1', '--ex'], ['--example']],
    ['what an option takes', ['plan', '--example', ''], ['capi', 'openshift', 'v1alpha1']],
    ['what an option takes, begun', ['run', '--mode', 'b'], ['beside']],
    ['what an option takes behind a sign', ['run', '--mode=r'], ['--mode=replace']],
    ['what a short option takes', ['run', '-o', ''], ['json']],
    [
      'an option to take back what is so by default',
      ['deploy', '--no-'],
      ['--no-drain-rules', '--no-policies'],
    ],
    ['a shell', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['nothing behind a value', ['plan', '--example', 'capi', ''], []],
    ['nothing behind a switch', ['run', '--serve', ''], []],
    ['nothing for a command that there is not', ['dance', ''], []],
    ['nothing for an option that there is not', ['plan', '--dance', ''], []],
  ])('is %s', (_, typed, expected) => {
    expect(words(...typed)).toEqual(expected);
  });

  test.each<[string[], boolean]>([
    [['plan', '--load', ''], true],
    [['plan', '--load', 'a.yaml', 'b'], true],
    [['plan', '--load=a'], true],
    [['plan', '--kubeconfig', 'a', ''], false],
    [['package', '--out', ''], true],
    [['plan', ''], false],
    [[''], false],
  ])('%j may be a file: %s', (typed, isFile) => {
    expect(completed(typed, commands).isFile).toBe(isFile);
  });

  test('has a meaning, as the help tells it', () => {
    const { candidates } = completed(['plan', '--load-'], commands);
    expect(candidates).toEqual([
      {
        word: '--load-workload',
        meaning: 'the same of a workload cluster: then no Node or Pod of --load counts ...',
      },
    ]);
    expect(completed([''], commands).candidates.filter(({ meaning }) => meaning === '')).toEqual([
      { word: 'help', meaning: '' },
      { word: '--help', meaning: '' },
      { word: '--version', meaning: '' },
    ]);
  });

  test.each([...commands])('of %s is understood by it, whichever option it is', (name, { options }) => {
    for (const option of words(name, '--').filter((word) => word !== '--help')) {
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
      stderr: 'phaseout: completion needs the name of a shell: bash, zsh, fish\nTry: phaseout --help\n',
    });
  });
});
