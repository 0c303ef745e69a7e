import { describe, expect, test } from 'vitest';
import { commands } from '../../infra/cli/commands.ts';
import { parseArguments } from '../../infra/terminal/parse-arguments.ts';
import { commandIn, commandLines, tutorial, typed } from './tutorial.ts';

test('the commands of the tutorial were found', () => {
  expect(commandLines.map(({ name }) => name)).toEqual(
    [
      ['run', 'status', 'hooks', 'plan', 'explain', 'run', 'status', 'explain', 'history'],
      ['run', 'hooks', 'status', 'release', 'release', 'hooks'],
    ].flat(),
  );
});

describe.each(commandLines)('$line', ({ name, args }) => {
  test('is a command that takes these options', async () => {
    const command = await commands.get(name)?.load();
    expect(command).toBeDefined();
    expect(() => parseArguments(args, command!.options)).not.toThrow();
  });
});

test('an option that no command has would be found', async () => {
  const { options } = await commands.get('status')!.load();
  expect(() => parseArguments(['--nowhere'], options)).toThrow('nowhere');
});

test('the first step has commands that only read', () => {
  const [look = ''] = tutorial.split('\n## 2. ');
  const [, first = ''] = look.split('\n## 1. Look\n');
  const named = [...first.matchAll(/npm run phaseout -- (\w+)/g)].map(([, name]) => name);
  expect(named).toEqual(['status', 'hooks', 'plan', 'explain']);
  expect(first).not.toContain('kubectl');
});

test('each other line is of kubectl or of the shell', () => {
  const others = typed.filter((line) => commandIn(line) === undefined);
  expect(others.filter((line) => !/^(?:kubectl -n |export KUBECONFIG=|npm ci$)/.test(line))).toEqual([]);
});

test('the run that puts hooks on has one namespace, and a label that one Machine gets', () => {
  const beside = commandLines.filter(({ args }) => args.includes('beside'));
  expect(beside.map(({ env }) => env)).toEqual([
    { PHASEOUT_NAMESPACES: 'fleet', PHASEOUT_BESIDE_SELECTOR: 'tutorial=yes' },
  ]);
  expect(typed.filter((line) => line.endsWith(' tutorial=yes'))).toEqual([
    'kubectl -n fleet label machines.cluster.x-k8s.io worker-2 tutorial=yes',
  ]);
});
