import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { main } from '../../../infra/cli/main.ts';
import { clock } from './history/a-store.ts';
import { anOutside, phaseout } from './outside.ts';

const load = ['--load', join(import.meta.dirname, '../../golden/capi/20-draining-pdb-blocked.yaml')];
const machine = 'capi-bench/g-pdb-yam8';

it.each([
  ['plan', [machine, ...load], 0],
  ['explain', [machine, ...load], 4],
  ['status', load, 0],
  ['hooks', load, 0],
  ['history', [machine, ...load], 3],
])('%s says the same as JSON and as YAML, and nothing beside it', async (command, args, code) => {
  const answers = await Promise.all(
    ['json', 'yaml'].map(async (form) => {
      const { outside, written } = await anOutside({ clock });
      return { code: await main([command, ...args, '-o', form], outside), ...written };
    }),
  );
  const [json, yaml] = answers.map(({ stdout }) => parse(stdout));
  expect(answers.map((each) => [each.code, each.stderr])).toEqual([
    [code, ''],
    [code, ''],
  ]);
  expect(answers[1]?.stdout).not.toMatch(/^\{/);
  expect(yaml).toEqual(json);
});

it('run, which tells line by line, has no YAML', async () => {
  const { code, stderr } = await phaseout('run', '-o', 'yaml');
  expect(code).toBe(2);
  expect(stderr).toContain('--output takes json');
});
