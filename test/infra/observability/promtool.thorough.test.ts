import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { panelQueries, ruleFile } from './queries.ts';

const isThere = spawnSync('promtool', ['--version']).error === undefined;

test('promtool is there where the tests of a submission run', () => {
  const isLeftOut = process.env['CI'] === undefined;
  expect(isThere || isLeftOut, 'promtool is missing: run `apt-get install prometheus`').toBe(true);
});

const series = (name: string, values: string) => ({ series: name, values });

/** What is seen, minute by minute, and which alerts fire at its end. */
const situations: [string, { minutes: number; input: ReturnType<typeof series>[]; firing: string[] }][] = [
  [
    'a sweep that ends well every three minutes',
    {
      minutes: 60,
      input: [series('phaseout_sweeps_total{sweep="all",outcome="done"}', '0+1x20 _x2 21+1x60')],
      firing: [],
    },
  ],
  ['no sweep at all', { minutes: 40, input: [], firing: ['PhaseoutSweepMissing'] }],
  [
    'a Machine that shows one reason for more than an hour',
    {
      minutes: 70,
      input: [
        series('phaseout_sweeps_total{sweep="all",outcome="done"}', '0+1x70'),
        series(
          'phaseout_machines_deleting{machine_api="cluster-api",phase="drain",reason="DrainingNode"}',
          '1x70',
        ),
      ],
      firing: ['PhaseoutDeletionStuck'],
    },
  ],
  [
    'a Machine that is held for its Node',
    {
      minutes: 20,
      input: [
        series('phaseout_sweeps_total{sweep="all",outcome="done"}', '0+1x70'),
        series('phaseout_machines_held{machine_api="cluster-api",reason="NodeOfAnotherServer"}', '1x70'),
      ],
      firing: ['PhaseoutNodeNotOwn'],
    },
  ],
  [
    'a dead letter that is the first of its instance',
    {
      minutes: 20,
      input: [
        series('phaseout_sweeps_total{sweep="all",outcome="done"}', '0+1x70'),
        series(
          'phaseout_dead_letters_total{type="dev.phaseout.deletion.advance.v1",code="500"}',
          '_x15 1x10',
        ),
      ],
      firing: ['PhaseoutDeadLetters'],
    },
  ],
  [
    'a budget that can never allow',
    {
      minutes: 20,
      input: [
        series('phaseout_sweeps_total{sweep="all",outcome="done"}', '0+1x70'),
        series(
          'phaseout_evictions_total{machine_api="cluster-api",answer="refused",cause="BudgetNeverAllows"}',
          '0+1x20',
        ),
      ],
      firing: ['PhaseoutBudgetNeverAllows'],
    },
  ],
];

describe.runIf(isThere)('promtool', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'promtool-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  function promtool(words: readonly string[], name: string, content: object): string {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return execFileSync('promtool', [...words, name], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  }

  test('takes the rules', () => {
    expect(promtool(['check', 'rules', '--lint=all', '--lint-fatal'], 'rules.json', ruleFile())).toContain(
      'SUCCESS: 10 rules found',
    );
  });

  test('takes every query of the dashboard', () => {
    const rules = panelQueries().map((expr, index) => ({ record: `panel:query:${index}`, expr }));
    const said = promtool(['check', 'rules'], 'panels.json', { groups: [{ name: 'panels', rules }] });
    expect(said).toContain(`SUCCESS: ${rules.length} rules found`);
  });

  test.each(situations)('has the rules fire as they should with %s', (_, { minutes, input, firing }) => {
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(ruleFile()));
    const alerts = ruleFile().groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const situation = {
      rule_files: ['rules.json'],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: input,
          promql_expr_test: alerts.map((alert) => ({
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
            eval_time: `${minutes}m`,
            exp_samples: firing.includes(alert) ? [{ labels: '{}', value: 1 }] : [],
          })),
        },
      ],
    };
    expect(promtool(['test', 'rules'], 'situation.json', situation)).toContain('SUCCESS');
  });
});
