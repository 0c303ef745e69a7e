import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readDefinitions } from '../../../infra/knative/definitions.ts';
import { renderManifests } from '../../../infra/knative/manifests.ts';
import { newestVersions } from '../../../infra/knative/options.ts';
import type { GivenOptions, ProviderSchemas } from '../../../infra/osls/framework.ts';
import { argumentsOf, createProvider } from '../../../infra/osls/provider.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { written } from '../knative/rendered.ts';

const require = createRequire(import.meta.url);
const root = new URL('../../../', import.meta.url).pathname;
const own = readFileSync(join(root, 'serverless.yml'), 'utf8');
const home = mkdtempSync(join(tmpdir(), 'phaseout-osls-'));
afterAll(() => rmSync(home, { recursive: true }));

test('osls packages what we package', { timeout: 60_000 }, async () => {
  symlinkSync(join(root, 'infra'), join(home, 'infra'));
  writeFileSync(join(home, 'serverless.yml'), own);
  const image = 'registry.example/phaseout:1';
  const bin = require.resolve('osls/bin/serverless.js');
  const args = [bin, 'package', '--package', 'out', '--image', image];
  const env = { PATH: process.env['PATH'], HOME: home };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: home, env });

  expect(stdout).toContain('15 files for: kubectl apply --server-side --force-conflicts -k out');
  const definitions = [...(await readDefinitions('hooks')), ...(await readDefinitions('drain-policies'))];
  const files = renderManifests(written(), { machineApis: newestVersions, image, definitions });
  const found = readdirSync(join(home, 'out')).map((name): [string, string] => [
    name,
    readFileSync(join(home, 'out', name), 'utf8'),
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(files));
});

/** A framework that has read a file and runs nothing by itself. */
function plugged(text: string, given: GivenOptions) {
  const folder = mkdtempSync(join(home, 'plugged-'));
  writeFileSync(join(folder, 'serverless.yml'), text);
  const said: string[] = [];
  const output = { write: (words: string) => said.push(words) };
  const functions: Record<string, { image?: string }> = { drain: {}, node: { image: 'other' } };
  const schemas: ProviderSchemas[] = [];
  const plugin = createProvider(
    {
      serviceDir: folder,
      configurationFilename: 'serverless.yml',
      service: { functions },
      configSchemaHandler: { defineProvider: (_name, defined) => schemas.push(defined) },
      setProvider: () => undefined,
      classes: { Error },
    },
    given,
    () => ({
      stdout: output,
      stderr: output,
      env: {},
      folder: '/',
      clock: systemClock,
      random: () => 0,
      interrupted: new AbortController().signal,
    }),
  );
  return { plugin, said, functions, schema: schemas[0]!, folder };
}

describe('the provider', () => {
  test('gives every function an image, so that nothing is put into an archive', async () => {
    const { plugin, functions } = plugged(own, {});
    await plugin.hooks['initialize']?.();
    expect(functions).toEqual({ drain: { image: 'phaseout' }, node: { image: 'other' } });
  });

  test('says the line of what is wrong in its file', async () => {
    const { plugin, said } = plugged(own.replace('backoffDelay: PT0.5S', 'backoffDelay: 30s'), {});
    await expect(plugin.hooks['package:finalize']?.()).rejects.toThrow('phaseout package ended with 2');
    expect(said.join('')).toMatch(
      /serverless\.yml:\d+: provider\.delivery\.backoffDelay: must be an ISO 8601/,
    );
  });

  test('hands its options on', async () => {
    const options = {
      package: 'out',
      image: 'example.com/phaseout:1',
      'machine-apis': 'openshift',
      set: ['PHASEOUT_LOG=text'],
      policies: true,
    };
    const { plugin, folder } = plugged(own, { ...options, 'dynamodb-local': false, namespaces: null });
    await plugin.hooks['package:finalize']?.();
    expect(readdirSync(join(folder, 'out'))).toContain('definitions.yaml');
    expect(readdirSync(join(folder, 'out'))).not.toContain('store.yaml');
    const configuration = readFileSync(join(folder, 'out/configuration.yaml'), 'utf8');
    expect(configuration).toContain('PHASEOUT_LOG: text');
    expect(configuration).toContain('PHASEOUT_MACHINE_APIS: openshift');
  });

  test('hands on what was declined', () => {
    const options = { policies: { type: 'boolean' }, set: { type: 'string', multiple: true } } as const;
    expect(argumentsOf(options, { policies: false })).toEqual(['--no-policies']);
    expect(argumentsOf(options, { policies: true, set: ['a=b'] })).toEqual(['--policies', '--set=a=b']);
    expect(argumentsOf(options, {})).toEqual([]);
  });

  test.each([
    ['deploy:deploy', {}, 'deploy needs --image: one that the cluster can pull'],
    ['deploy:deploy', { image: 'i' }, 'no cluster is named: set --kubeconfig FILE or KUBECONFIG'],
    ['remove:remove', {}, 'no cluster is named: set --kubeconfig FILE or KUBECONFIG'],
  ])('with %s and %j does as our command does', async (hook, given, says) => {
    const { plugin, said } = plugged(own, given);
    await expect(plugin.hooks[hook]?.()).rejects.toThrow('ended with 2');
    expect(said.join('')).toContain(says);
  });

  test('has the options of our commands, but for those that the framework has itself', () => {
    const { deploy, package: packaging } = plugged(own, {}).plugin.commands;
    expect(deploy?.options['set']).toEqual({ type: 'multiple', usage: 'as in phaseout deploy --help' });
    expect(deploy?.options['dry-run']?.type).toBe('boolean');
    expect(Object.keys({ ...deploy?.options, ...packaging?.options })).not.toContain('file');
    expect(packaging?.options['out']).toBeUndefined();
  });

  test('tells the framework which fields there are', () => {
    const { functionEvents, provider } = plugged(own, {}).schema;
    const ping = z.fromJSONSchema({ ...functionEvents['ping'] });
    expect(ping.safeParse({ schedule: '@hourly' }).success).toBe(true);
    expect(ping.safeParse({ scheduel: '@hourly' }).success).toBe(false);
    expect(Object.keys(functionEvents)).toEqual(['apiServer', 'ping', 'trigger', 'deadLetter']);
    expect(provider).toMatchObject({ properties: { scaling: { type: 'object' } } });
    expect(provider).not.toHaveProperty('properties.name');
  });
});
