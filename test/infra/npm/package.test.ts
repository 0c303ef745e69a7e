import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { aDump, aMachine, aNode, anAwsMachine } from '../../builders/dump.ts';
import { type Installed, install } from './installed.ts';

const root = join(import.meta.dirname, '../../..');
const manifestSchema = z.object({
  engines: z.object({ node: z.string() }),
  bin: z.record(z.string(), z.string()),
  files: z.array(z.string()),
});
const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

describe('the package', () => {
  let installed: Installed;
  beforeAll(async () => void (installed = await install()), 120_000);
  afterAll(() => installed.remove());

  test('comes alone: no other package is installed with it', () => {
    const names = readdirSync(join(installed.folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(names).toEqual(['phaseout']);
  });

  test('has its commands on the path', () => {
    const names = readdirSync(join(installed.folder, 'node_modules/.bin'));
    expect(names.toSorted()).toEqual(['kubectl-phaseout', 'kubectl_complete-phaseout', 'phaseout']);
    expect(names.toSorted()).toEqual(Object.keys(manifest.bin).toSorted());
  });

  test('has the licences of what is in it, and no path of the machine that made it', () => {
    const folder = join(installed.folder, 'node_modules/phaseout/dist');
    expect(readFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain('undici 8.7.0 (MIT)');
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
    expect(names.filter((name) => readFileSync(join(folder, name), 'utf8').includes(root))).toEqual([]);
  });

  test('has the changelog, and the changelog has this version', async () => {
    const folder = join(installed.folder, 'node_modules/phaseout');
    const { stdout } = await installed.start('phaseout', ['--version']);
    const text = readFileSync(join(folder, '.github/CHANGELOG.md'), 'utf8');
    expect(text).toContain(`\n## [${stdout.trim()}] - `);
    expect(text).toContain('\n## [Unreleased]\n');
  });

  test('tells its version', async () => {
    expect(await installed.start('phaseout', ['--version'])).toEqual({
      code: 0,
      stdout: '0.1.0\n',
      stderr: '',
    });
  });

  test('plans a dump', async () => {
    const dump = await aDump(installed.folder, [aMachine('a'), anAwsMachine('a'), aNode('a')]);
    const { code, stdout, stderr } = await installed.start('phaseout', ['plan', 'fleet/a', '--load', dump]);
    expect(code).toBe(0);
    expect(stderr).toContain('not in the manifests, so assumed to be there: 1 Cluster, 1 ControlPlane');
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('Deleting Machine fleet/a');
    expect(lines).toContain('  infrastructure  runs    AWSMachine a is deleted');
  });

  test.each([
    ['capi', 'fleet/worker-1'],
    ['openshift', 'openshift-machine-api/worker-1'],
    ['v1alpha1', 'machines/worker-1'],
  ])('has the example fleet of %s', async (api, name) => {
    const { code, stdout } = await installed.start('phaseout', ['plan', name, '--example', api]);
    expect({ code, first: stdout.split('\n')[0] }).toEqual({ code: 0, first: `Deleting Machine ${name}` });
  });

  test.each([
    ['typescript', 'work.ts'],
    ['python', 'work.py'],
  ])('writes a function for a hook in %s', async (language, file) => {
    const args = ['hook', 'new', `a-${language}`, '--language', language];
    const { code, stderr } = await installed.start('phaseout', args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(join(installed.folder, `a-${language}`))).toContain(file);
  });

  test('writes the manifests of an installation, with all definitions', async () => {
    const args = ['package', '--image', 'registry.example/phaseout:1', '--drain-rules', '--policies'];
    const { code, stderr } = await installed.start('phaseout', [...args, '--out', 'manifests']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const names = readdirSync(join(installed.folder, 'manifests'));
    expect(names).toContain('functions.yaml');
  });
});

/** The paths that a source names relative to itself. A placeholder in a path stands for any word. */
const namesIn = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/new URL\(['`]([^'`]+)['`], import\.meta\.url\)/g)].map(
    ([, name = '']) => name.replace(/\$\{file\}/, 'any.yaml').replaceAll(/\$\{\w+\}/g, 'any'),
  );

const isPacked = (path: string): boolean => manifest.files.some((pattern) => matchesGlob(path, pattern));

const isElsewise = (path: string): boolean =>
  /import\.meta\.(?!url\b)/.test(readFileSync(join(root, path), 'utf8'));

describe('what sources read beside them', () => {
  const sources = globSync('{functions,shared,infra,events}/**/*.ts', { cwd: root });
  const named = sources
    // What the page is built from is not needed where it comes built, as dist/page.json.
    .filter((path) => !path.startsWith('infra/npm/') && !path.startsWith('infra/page/assets/'))
    .flatMap((path) => namesIn(path).map((name) => join(path, '..', name)));

  test('is in the package', () => {
    expect(named.length).toBeGreaterThan(4);
    // A folder is where the names that stand beside it in the source begin.
    const files = named.filter((path) => !path.endsWith('/') && path !== 'package.json');
    expect(files.filter((path) => !isPacked(path))).toEqual([]);
  });

  test('is found by the words that the bundle replaces', () => {
    const programs = ['image', 'actuator', 'host', 'knative', 'npm', 'hook-watchdog'].map(
      (room) => `infra/${room}/`,
    );
    const others = sources.filter((path) => !programs.some((room) => path.startsWith(room)));
    expect(others.filter(isElsewise)).toEqual([]);
  });
});

test('the oldest Node that is promised is the one that the bundle is written for', () => {
  const [, version] =
    /'node([\d.]+)'/.exec(readFileSync(join(root, 'infra/npm/write-bundle.ts'), 'utf8')) ?? [];
  expect(manifest.engines.node).toBe(`>=${version}`);
});
