import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { deployOptions } from '../infra/cli/deploy/command.ts';
import { packageOptions } from '../infra/cli/package/package.ts';
import { releaseOptions } from '../infra/cli/release/command.ts';
import { removeOptions } from '../infra/cli/remove/command.ts';
import type { Permission } from '../infra/serverless/permissions-schema.ts';
import { readServerless } from '../infra/serverless/read.ts';
import { configVariables } from '../shared/runtime/config-variables.ts';
import { metricDefinitions } from '../shared/runtime/metrics-definitions.ts';
import { documents, read, tableIn, withoutQuotes } from './documents/markdown.ts';

const guide = 'infra/README.md';
const permissionTables = 'infra/permission-tables.md';
const rules = 'infra/manifests/observability/prometheus-rule.yaml';
const runbook = 'infra/runbook.md';
/** The guide, and what it leads to. */
const guides = documents.filter((path) => /^infra\/[\w-]+\.md$/.test(path));
const text = read(rules);

const reading = readServerless(read('serverless.yml'));
const permissions = reading.kind === 'read' ? reading.file.permissions : [];

const code = (word: string): string => `\`${word}\``;

/** A permission as its table tells of it. */
function told({ apiGroups, resources, verbs, scope, namedBy, why, ...permission }: Permission): string[] {
  const groups = apiGroups.filter((group) => group !== '').map(code);
  const what = resources.map((resource) => (resource === '*' ? 'everything' : code(resource))).join(', ');
  const places = {
    cluster: 'cluster',
    'machine-namespaces': 'namespaces of Machines',
    named: `the one that ${code(namedBy ?? '')} names`,
    'namespace-of-named': `the namespace of the one that ${code(namedBy ?? '')} names`,
  };
  return [
    groups.length === 0 ? what : `${what} of ${groups.join(', ')}`,
    verbs.join(', '),
    (permission.for ?? ['all']).join(', '),
    permission.mode ?? 'both',
    places[scope],
    why.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ];
}

test.each(['management', 'workload', 'sources'])(
  'what is told of side %s is what serverless.yml permits',
  (side) => {
    const permitted = permissions.filter((permission) => permission.side === side);
    expect(permitted.length).toBeGreaterThan(0);
    expect(tableIn(permissionTables, side)).toEqual(permitted.map(told));
  },
);

const fenced = (document: string, language: string): string[] =>
  [...read(document).matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );

/** The option without `no-`, as `--no-policies` takes `policies` back. */
const isKnown = (name: string, options: object): boolean =>
  name in options || name.replace(/^no-/, '') in options || name === 'kubeconfig';

describe.each([
  ['deploy', deployOptions],
  ['package', packageOptions],
  ['remove', removeOptions],
  ['phaseout -- release', releaseOptions],
])('%s', (command, options) => {
  test('has every option that the documents give it', () => {
    const said = documents.map((document) => read(document).replaceAll('\\\n', ' ')).join('\n');
    const lines = [...said.matchAll(new RegExp(`npm run ${command}\\b([^\`\\n]*)`, 'g'))];
    const named = lines.flatMap(([line]) => [...line.matchAll(/ --([a-z][\w-]*)/g)]);
    expect(lines.length).toBeGreaterThan(0);
    expect(named.map(([, name = '']) => name).filter((name) => !isKnown(name, options))).toEqual([]);
  });
});

test('every option in the table of the guide is one of deploy', () => {
  const cells = tableIn(guide, 'to').map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/--([a-z][\w-]*)/g)].map(([, name = '']) => name));
  expect(named.length).toBeGreaterThan(7);
  expect(named.filter((name) => !isKnown(name, deployOptions))).toEqual([]);
});

test('documents name variables that there are', () => {
  const known = Object.values(configVariables).map(({ name }) => name);
  const asides = ['PHASEOUT_ACTUATOR_TOKEN', 'PHASEOUT_TEST_DYNAMODB_ENDPOINT'];
  const named = documents.flatMap((path) =>
    [...read(path).matchAll(/\bPHASEOUT_[A-Z_]*[A-Z]\b/g)].map(([name]) => name),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !known.includes(name) && !asides.includes(name))).toEqual([]);
});

const isMetric = (name: string): boolean =>
  Object.values(metricDefinitions).some((metric) => metric.name === name.replace(/_bucket$/, ''));

describe('the alerts', () => {
  const given = ['pod-monitor', 'prometheus-rule'].map((name) =>
    read(`infra/manifests/observability/${name}.yaml`),
  );
  const blocks = [...given, ...guides.flatMap((path) => fenced(path, 'yaml'))].map((block) =>
    parseDocument(block),
  );

  test('are YAML, as all that the guide gives', () => {
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.flatMap(({ errors }) => errors)).toEqual([]);
  });

  test.each([rules, runbook])('and other words of %s ask for metrics that there are', (document) => {
    const asked = [...read(document).matchAll(/\bphaseout_[a-z_]+[a-z]\b/g)].map(([name]) => name);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((name) => !isMetric(name))).toEqual([]);
  });

  test('are the same where they are told in short', () => {
    const said = text.replaceAll(/\s+/g, ' ');
    // What waits for a person is asked for there alone.
    const [, ...shared] = tableIn('infra/metrics.md', 'ask');
    const asked = shared.map(([, when]) => withoutQuotes(when).replaceAll('\\|', '|'));
    expect(asked).toHaveLength(11);
    expect(asked.filter((expression) => !said.includes(expression))).toEqual([]);
  });

  test('ask for labels that these metrics have', () => {
    const asked = [...text.matchAll(/\b(phaseout_[a-z_]+[a-z])\{([^}]*)\}/g)];
    const unknown = asked.flatMap(([, name = '', labels = '']) => {
      const metric = Object.values(metricDefinitions).find(
        (one) => one.name === name.replace(/_bucket$/, ''),
      );
      const had: readonly string[] = metric?.labels ?? [];
      return [...labels.matchAll(/(\w+)=~?"/g)].flatMap(([, label = '']) =>
        had.includes(label) ? [] : [label],
      );
    });
    expect(asked.length).toBeGreaterThan(5);
    expect(unknown).toEqual([]);
  });
});

test('the guide says how many instances there are, and how they agree, as serverless.yml has it', () => {
  const services = reading.kind === 'read' ? reading.file.services : [];
  expect(services.map(({ scaling }) => scaling.maxScale)).toEqual([5]);
  const why = read('infra/sizing.md')
    .split('\n')
    .find((line) => line.startsWith('| several instances |'));
  expect(why).toContain('`scaling.maxScale: 5`');
  expect(why).toContain('One of them at a time takes a step of a Machine');
});
