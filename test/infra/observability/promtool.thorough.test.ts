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

const swept = series('phaseout_sweeps_total{sweep="all",outcome="done"}', '0+1x200');
const oldest = (machine_namespace: string, values: string, instance = 'one') =>
  series(
    `phaseout_oldest_deletion_seconds{machine_api="cluster-api",machine_namespace="${machine_namespace}",reason="DrainingNode",instance="${instance}"}`,
    values,
  );
const heldUpHook = (values: string) =>
  series(
    'phaseout_hooks_held_up{machine_api="cluster-api",machine_namespace="blue",hook="move-data"}',
    values,
  );
/** Some Machine is always being deleted for three hours, each for ten minutes. */
const rollingUpgrade = [
  series(
    'phaseout_machines_deleting{machine_api="cluster-api",phase="drain",reason="DrainingNode"}',
    '1x180',
  ),
  oldest('green', Array.from({ length: 18 }, () => '0+60x9').join(' ')),
];

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
  ['a rolling upgrade of three hours', { minutes: 180, input: [swept, ...rollingUpgrade], firing: [] }],
  [
    'a Machine that hangs',
    { minutes: 75, input: [swept, oldest('blue', '0+60x75')], firing: ['PhaseoutDeletionStuck'] },
  ],
  [
    'a Machine that hangs within a rolling upgrade',
    {
      minutes: 180,
      input: [swept, ...rollingUpgrade, oldest('blue', '_x100 0+60x80')],
      firing: ['PhaseoutDeletionStuck'],
    },
  ],
  [
    'a Machine that hangs while its instance goes and another one sweeps three minutes later',
    {
      minutes: 90,
      input: [swept, oldest('blue', '0+60x77'), oldest('blue', '_x81 4860+60x20', 'two')],
      firing: ['PhaseoutDeletionStuck'],
    },
  ],
  [
    'a Machine that has hung and is gone',
    { minutes: 100, input: [swept, oldest('blue', '0+60x80 _x20')], firing: [] },
  ],
  [
    'a Machine that goes shortly before the hour, while one instance does not know it yet',
    { minutes: 75, input: [swept, oldest('blue', '0+60x59'), oldest('blue', '0+60x63', 'two')], firing: [] },
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
    'a function that is silent',
    { minutes: 20, input: [swept, heldUpHook('1x20')], firing: ['PhaseoutHookHeldUp'] },
  ],
  [
    'a function that fails once and is done then',
    { minutes: 14, input: [swept, heldUpHook('_x5 1x3 _x20')], firing: [] },
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
      'SUCCESS: 11 rules found',
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

  test('has the rule for a Machine that hangs say where, for how long, and where to read on', () => {
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(ruleFile()));
    const alertname = 'PhaseoutDeletionStuck';
    const situation = {
      rule_files: ['rules.json'],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: [swept, oldest('blue', '0+60x75')],
          alert_rule_test: [
            {
              alertname,
              eval_time: '75m',
              exp_alerts: [
                {
                  exp_labels: {
                    severity: 'warning',
                    component: 'phaseout',
                    machine_api: 'cluster-api',
                    machine_namespace: 'blue',
                    namespace: 'blue',
                    reason: 'DrainingNode',
                  },
                  exp_annotations: {
                    summary: 'A Machine in blue has been going for 1h 15m 0s (cluster-api DrainingNode)',
                    runbook_url:
                      'https://git.example.com/phaseout/blob/main/infra/runbook.md#phaseoutdeletionstuck',
                  },
                },
              ],
            },
          ],
        },
      ],
    };
    expect(promtool(['test', 'rules'], 'situation.json', situation)).toContain('SUCCESS');
  });
});
