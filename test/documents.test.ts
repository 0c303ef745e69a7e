import { existsSync, globSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { eventSchemas } from '../events/types.ts';
import { phaseFunctions } from '../infra/host/phases.ts';
import { exampleNames } from '../infra/local/examples/names.ts';
import { besideClusterApi } from '../shared/dialects/beside/cluster-api.ts';
import { clusterApi } from '../shared/dialects/capi/index.ts';
import { openShift } from '../shared/dialects/openshift/index.ts';
import { dialects } from '../shared/dialects/registry.ts';
import { originalApi } from '../shared/dialects/v1alpha1/index.ts';
import { type Phase, phases } from '../shared/machine/phase.ts';
import type { Reason } from '../shared/machine/reason.ts';
import { configVariables } from '../shared/runtime/config-variables.ts';
import { anInstallation } from './builders/beside.ts';
import { anchorsOf, documents, foldersIn, read, root, tableIn, withoutQuotes } from './documents/markdown.ts';

const engine = 'shared/README.md';

/** What a Machine shows while it is in a phase. */
const reasons: Record<Phase, Reason> = {
  'pre-drain': 'WaitingForPreDrainHook',
  drain: 'DrainingNode',
  'volume-detach': 'WaitingForVolumeDetach',
  'hand-over': 'HandingOver',
  'pre-terminate': 'WaitingForPreTerminateHook',
  infrastructure: 'WaitingForInfrastructureDeletion',
  bootstrap: 'WaitingForBootstrapDeletion',
  node: 'DeletingNode',
  finalize: 'DeletionCompleted',
};

describe('the phases', () => {
  test('in their table are those of the code, in their order, with the reasons they show', () => {
    const rows = tableIn(engine, 'phase').map(([name, , shown]) => [
      withoutQuotes(name),
      withoutQuotes(shown),
    ]);
    expect(rows).toEqual(phases.map((phase) => [phase, reasons[phase]]));
  });

  test.each([
    ['Cluster API', 2, phases],
    ['OpenShift', 3, openShift.phases],
    ['v1alpha1', 4, originalApi.phases],
  ])('that %s has, by their table, are those of its dialect', (_api, column, its) => {
    const rows = tableIn(engine, 'phase').filter((cells) => cells[column] !== '');
    expect(rows.map(([name]) => withoutQuotes(name))).toEqual(its);
  });

  test('of Cluster API are all there are, in one of its two modes', () => {
    const handOver: readonly Phase[] = ['hand-over'];
    expect(clusterApi.phases).toEqual(phases.filter((phase) => !handOver.includes(phase)));
    expect(besideClusterApi(clusterApi, anInstallation()).phases).toEqual(
      phases.slice(0, phases.indexOf('pre-terminate') + 1),
    );
  });

  test('are in the README, in their order, and hand-over in the place of all that follow', () => {
    const chain = phases.filter((phase) => phase !== 'hand-over').map((phase) => `\`${phase}\``);
    expect(read('README.md')).toContain(`The phases: ${chain.join(' → ')}, as`);
    expect(read('README.md')).toContain('ends after `volume-detach` with `hand-over`');
    expect(phases.indexOf('hand-over')).toBe(phases.indexOf('volume-detach') + 1);
  });

  test('show in OpenShift the conditions that their table names', () => {
    const shown = tableIn(engine, 'phase').flatMap((cells) => /`(\w+)`/.exec(cells[3] ?? '')?.[1] ?? []);
    expect(shown).toEqual(['Drainable', 'Drained', 'Terminable']);
    const source =
      read('shared/dialects/openshift/conditions.ts') + read('shared/dialects/openshift/judgements.ts');
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

test('every example that the local platform shows is one, and there is no other', () => {
  const examples = tableIn('infra/local/README.md', 'command').flatMap(([command = '']) =>
    command.startsWith('`npm start') ? [/--example (\w+)/.exec(command)?.[1] ?? 'capi'] : [],
  );
  expect(examples).toEqual(exampleNames);
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
      ['intake', 'sweep', 'dead-letter', 'hook-answer', ...phases].toSorted(),
    );
  });
});

test('the documented configuration is that of the code, defaults included', () => {
  const rows = tableIn('infra/configuration.md', 'variable').map((cells) => cells.map(withoutQuotes));
  expect(rows).toEqual(
    Object.values(configVariables).map(({ name, default: byDefault, meaning }) => [name, byDefault, meaning]),
  );
});

test('the types of events in their README are those of the code', () => {
  const types = tableIn('events/README.md', 'type').map(([type]) => withoutQuotes(type));
  expect(types.toSorted()).toEqual(Object.keys(eventSchemas).toSorted());
});

describe('the engine', () => {
  test('has the rooms that its README tells of', () => {
    const cells = tableIn(engine, 'floor').map(([, room = '']) => withoutQuotes(room));
    const rooms = cells.flatMap((cell) => cell.split(' ').map((room) => room.replace('/', '')));
    expect(rooms.toSorted()).toEqual(foldersIn('shared').toSorted());
  });

  test('has twelve words of its own, each told once', () => {
    const words = tableIn(engine, 'word').map(([word = '']) => word);
    expect(words.toSorted()).toEqual(
      [
        ['checkpoint', 'claim', 'dialect', 'exhibit', 'guard', 'intake', 'phase'],
        ['retreat', 'story', 'sweep', 'verdict', 'wake-up'],
      ].flat(),
    );
  });
});

test.each(['README.md', 'infra/README.md'])('%s has at most 120 lines', (document) => {
  expect(read(document).split('\n').length - 1).toBeLessThanOrEqual(120);
});

test('the README leads to every topic of the guide', () => {
  const topics = [
    ['README', 'tutorial', 'compared', 'permissions', 'sizing', 'upgrade'],
    ['hand-over', 'aws/README', 'configuration'],
  ].flat();
  expect(topics.filter((topic) => !read('README.md').includes(`](infra/${topic}.md)`))).toEqual([]);
});

/** Made in the image, of no file here. */
const built = new Set(['page.json', 'sbom.cdx.json']);

/** A document names a file from its own folder, from the root, or by the end of its path. */
const isThere = (document: string, path: string): boolean =>
  files.has(join(dirname(document), path)) || [...files].some((file) => `/${file}`.endsWith(`/${path}`));

const files = new Set(
  globSync('{*.*,.*rc,.*.json,{.ci,.github,functions,shared,events,infra,test}/**/*.*}', { cwd: root }),
);

describe.each(documents)('%s', (document) => {
  const text = read(document);
  const here = join(root, dirname(document));

  test('names files that are there', () => {
    const prose = text.replaceAll(/```[^]*?```/g, '');
    const named = [...prose.matchAll(/`([\w./-]+\.(?:tsx?|ya?ml|json|md))`/g)].map(([, path = '']) => path);
    expect(named.filter((path) => !isThere(document, path) && !built.has(path))).toEqual([]);
  });

  test('links to what is there', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^https?:/.test(link));
    expect(local.filter((link) => !existsSync(join(here, link)))).toEqual([]);
  });

  test('links to headings that are there', () => {
    const links = [...text.matchAll(/\]\(([\w./-]*)#([\w-]+)\)/g)];
    const broken = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? document : join(dirname(document), path);
      return !anchorsOf(target).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
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
