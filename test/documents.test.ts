import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { eventSchemas } from '../events/types.ts';
import { apiGroups } from '../infra/cli/api-names.ts';
import { dialects } from '../shared/dialects/registry.ts';
import { phaseFunctions } from '../infra/host/phases.ts';
import { clusterApi } from '../shared/dialects/capi/index.ts';
import { openShift } from '../shared/dialects/openshift/index.ts';
import { originalApi } from '../shared/dialects/v1alpha1/index.ts';
import { type Phase, phases } from '../shared/machine/phase.ts';
import type { Reason } from '../shared/machine/reason.ts';
import { configVariables } from '../shared/runtime/config-variables.ts';
import { read, root, tableIn, withoutQuotes } from './documents/markdown.ts';

const folders = ['functions', 'shared', 'events', 'infra', 'test'];
const documents = [
  'README.md',
  ...folders.map((folder) => `${folder}/README.md`),
  'infra/actuator/README.md',
  'infra/admission/README.md',
  'infra/host/README.md',
  'infra/knative/README.md',
  'infra/manifests/README.md',
  'infra/aws/README.md',
  'infra/crds/README.md',
  'infra/runbook.md',
  'infra/serverless/README.md',
];

/** What a Machine shows while it is in a phase. */
const reasons: Record<Phase, Reason> = {
  'pre-drain': 'WaitingForPreDrainHook',
  drain: 'DrainingNode',
  'volume-detach': 'WaitingForVolumeDetach',
  'pre-terminate': 'WaitingForPreTerminateHook',
  infrastructure: 'WaitingForInfrastructureDeletion',
  bootstrap: 'WaitingForBootstrapDeletion',
  node: 'DeletingNode',
  finalize: 'DeletionCompleted',
};

describe('the phases', () => {
  test('in the README are those of the code, in their order, with the reasons they show', () => {
    const rows = tableIn('README.md', 'phase').map(([name, , shown]) => [
      withoutQuotes(name),
      withoutQuotes(shown),
    ]);
    expect(rows).toEqual(phases.map((phase) => [phase, reasons[phase]]));
  });

  test.each([
    ['Cluster API', 2, clusterApi],
    ['OpenShift', 3, openShift],
    ['v1alpha1', 4, originalApi],
  ])('that %s has, by the README, are those of its dialect', (_api, column, dialect) => {
    const rows = tableIn('README.md', 'phase').filter((cells) => cells[column] !== '');
    expect(rows.map(([name]) => withoutQuotes(name))).toEqual(dialect.phases);
  });

  test('show in OpenShift the conditions that the README names', () => {
    const shown = tableIn('README.md', 'phase').flatMap((cells) => /`(\w+)`/.exec(cells[3] ?? '')?.[1] ?? []);
    expect(shown).toEqual(['Drainable', 'Drained', 'Terminable']);
    const source =
      read('shared/dialects/openshift/conditions.ts') + read('shared/dialects/openshift/drained.ts');
    expect(shown.filter((type) => !source.includes(`'${type}'`))).toEqual([]);
  });

  test.each(phases)('%s is its own file and says its own name', (phase) => {
    expect(phaseFunctions[phase].name).toBe(phase);
    expect(existsSync(join(root, 'functions', `${phase}.ts`))).toBe(true);
  });

  test.each(phases)('%s gives the reason that is documented', (phase) => {
    const isHook = phase === 'pre-drain' || phase === 'pre-terminate';
    expect(read(isHook ? 'shared/phase/guard.ts' : `functions/${phase}.ts`)).toContain(`'${reasons[phase]}'`);
  });
});

test('the Machine APIs in the README are those of the code, with their versions, finalizers and who ends the server', () => {
  const rows = tableIn('README.md', 'Machine API').map(([, machines, finalizer, ends]) => [
    withoutQuotes(machines),
    withoutQuotes(finalizer),
    ends?.includes('provider') === true ? 'actuator' : 'object',
  ]);
  expect(rows).toEqual(
    dialects.map(({ group, versions, finalizer, termination }) => [
      `${group}/${versions.join(', ')}`,
      finalizer,
      termination.by,
    ]),
  );
});

test('every example in the README is one, and there is no other', () => {
  const examples = tableIn('README.md', 'command').flatMap(([command = '']) =>
    command.startsWith('`npm start') ? [/--example (\w+)/.exec(command)?.[1] ?? 'capi'] : [],
  );
  expect(examples).toEqual(Object.keys(apiGroups));
  const files = readdirSync(join(root, 'infra/local/examples')).filter((name) => name.endsWith('.yaml'));
  expect(files.toSorted()).toEqual(examples.map((name) => `${name}.yaml`).toSorted());
});

describe('serverless.yml', () => {
  const declared = z
    .object({ functions: z.record(z.string(), z.object({ handler: z.string() })) })
    .parse(parse(read('serverless.yml'))).functions;

  test('names every function there is, and no other', () => {
    const files = readdirSync(join(root, 'functions')).filter((name) => name.endsWith('.ts'));
    expect(
      Object.values(declared)
        .map(({ handler }) => handler)
        .toSorted(),
    ).toEqual(files.map((name) => `functions/${name}`).toSorted());
  });

  test('names them as the phases are named', () => {
    expect(Object.keys(declared).toSorted()).toEqual(
      ['intake', 'sweep', 'dead-letter', ...phases].toSorted(),
    );
  });
});

test('the configuration in the README is that of the code, defaults included', () => {
  const rows = tableIn('README.md', 'variable').map((cells) => cells.map(withoutQuotes));
  expect(rows).toEqual(
    Object.values(configVariables).map(({ name, default: byDefault, meaning }) => [name, byDefault, meaning]),
  );
});

test('the types of events in their README are those of the code', () => {
  const types = tableIn('events/README.md', 'type').map(([type]) => withoutQuotes(type));
  expect(types.toSorted()).toEqual(Object.keys(eventSchemas).toSorted());
});

describe.each(documents)('%s', (document) => {
  const text = read(document);
  const here = join(root, dirname(document));

  test('links to what is there', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^https?:/.test(link));
    expect(local.filter((link) => !existsSync(join(here, link)))).toEqual([]);
  });

  test('names folders that are there', () => {
    const rows = [...text.matchAll(/^\| ((?:`[\w./-]+\/` ?)+)\|/gm)];
    const named = rows.flatMap(([, cell = '']) => cell.trim().split(' ').map(withoutQuotes));
    expect(named.filter((folder) => !existsSync(join(here, folder)))).toEqual([]);
  });

  test('tells of commands that there are', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const named = [...text.matchAll(/npm run (?:-\w+ )*(\w[\w:-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
