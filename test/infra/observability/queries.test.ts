import { describe, expect, test } from 'vitest';
import { metricDefinitions } from '../../../shared/runtime/metrics-definitions.ts';
import { dashboard, panelQueries, ruleFile } from './queries.ts';

/** What a query may name: a histogram has series of its own for its classes, its sum and its count. */
const series = new Map<string, readonly string[]>(Object.values(metricDefinitions).flatMap(seriesOf));

function seriesOf({ name, kind, labels }: (typeof metricDefinitions)[keyof typeof metricDefinitions]) {
  const had: readonly string[] = labels;
  const named: [string, readonly string[]][] =
    kind === 'histogram'
      ? [
          [`${name}_bucket`, [...had, 'le']],
          [`${name}_sum`, had],
          [`${name}_count`, had],
        ]
      : [[name, had]];
  return named;
}

const queries = [
  ...ruleFile().groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ...panelQueries().map((expr) => [`the dashboard: ${expr}`, expr] as const),
];

/** Each metric that a query names, with the labels that it selects by. */
const selected = (expr: string): { name: string; labels: string[] }[] =>
  [...expr.matchAll(/\b((?:phaseout|mapi)_[a-z_]+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => ({
      name,
      labels: [...selector.matchAll(/(\w+) *(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );

/** The labels that a query keeps; `vector(0)` and the like have none. */
const kept = (expr: string): string[] =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );

describe.each(queries)('%s', (_, expr) => {
  test('asks for metrics that there are', () => {
    const names = selected(expr).map(({ name }) => name);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !series.has(name))).toEqual([]);
  });

  test('selects and groups by labels that these metrics have', () => {
    const asked = selected(expr);
    const unknown = asked.flatMap(({ name, labels }) =>
      labels.filter((label) => series.get(name)?.includes(label) !== true),
    );
    expect(unknown).toEqual([]);
    const known = asked.flatMap(({ name }) => series.get(name) ?? []);
    expect(kept(expr).filter((label) => !known.includes(label))).toEqual([]);
  });

  test('reads counts by how they grow, and only counts so', () => {
    const grown = [...expr.matchAll(/\b(?:rate|increase)\((\w+)/g)].map(([, name = '']) => name);
    expect(grown.filter((name) => !/_(?:total|bucket|sum|count)$/.test(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  const { panels, templating } = dashboard();

  test('has a row for each question', () => {
    expect(panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'What is being deleted',
      'What holds',
      'Evictions by answer',
      'Time in phase',
      'API load',
      'Sweeps and events',
    ]);
  });

  test('has panels with ids of their own, each with a query and a word about it', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const graphs = panels.filter(({ type }) => type !== 'row');
    expect(
      graphs.filter(({ targets, description = '' }) => targets.length === 0 || description === ''),
    ).toEqual([]);
    expect(graphs.length).toBeGreaterThan(15);
  });

  test('has no panel on another, or beyond the edge', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  test('asks with the variables that it has', () => {
    const asked = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)]),
    );
    const names = new Set(asked.map(([, name = '']) => name).filter((name) => !name.startsWith('__')));
    expect([...names]).toEqual(['machine_api']);
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'machine_api']);
  });
});
