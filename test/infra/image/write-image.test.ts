import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startChild } from '../../../infra/image/prime/child.ts';
import { firstEvents } from '../../../infra/image/prime/events.ts';
import { serveNothing } from '../../../infra/image/prime/nothing.ts';
import { writeImage } from '../../../infra/image/write-image.ts';
import { aStage } from '../hook/stage.ts';

const root = join(import.meta.dirname, '../../..');
const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  components: z.array(
    z.object({
      name: z.string(),
      purl: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })),
    }),
  ),
});

let folder: string;
const one = () => join(folder, 'one');
const read = (name: string): string => readFileSync(join(one(), name), 'utf8');

const components = () => sbomSchema.parse(JSON.parse(read('sbom.cdx.json'))).components;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'image-'));
  await writeImage(root, one());
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the image', () => {
  test('is the same, byte for byte, when it is made again elsewhere', async () => {
    const other = join(folder, 'other');
    await writeImage(root, other);
    expect(readdirSync(other)).toEqual(readdirSync(one()));
    const differing = readdirSync(other).filter(
      (name) => read(name) !== readFileSync(join(other, name), 'utf8'),
    );
    expect(differing).toEqual([]);
  });

  test('serves events without anything beside it, and ends in order', async () => {
    const nothing = await serveNothing();
    const functions = await startChild(join(one(), 'main.cjs'), nothing.environment);
    try {
      for (const event of firstEvents) await functions.send(event);
    } finally {
      expect(await functions.end()).toBe(0);
      await nothing.close();
    }
  });

  test('has the hook watchdog in one file, and it takes a hook off', async () => {
    const { kubeconfig, annotations } = await aStage({ a: { isDeleting: true } });
    writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
    const env = { KUBECONFIG: join(folder, 'kubeconfig'), LEASE_NAMESPACE: 'phaseout' };
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(one(), 'dead-man.cjs')], { env });
    expect(stdout.trimEnd().split('\n').at(-1)).toContain('"msg":"Done","held":1,"kept":0');
    expect(annotations('a')).toEqual({});
  });

  test('is in ASCII, which Node reads at once', () => {
    const bundled = readdirSync(one()).filter((name) => name.endsWith('.cjs'));
    expect(bundled.filter((name) => /[^\0-\x7f]/.test(read(name)))).toEqual([]);
    expect(read(bundled.find((name) => name.startsWith('process')) ?? '')).toContain('\\u2026');
  });

  test('has no path of the machine that made it', () => {
    expect(readdirSync(one()).filter((name) => read(name).includes(root))).toEqual([]);
  });
});

describe('the list of what is in the image', () => {
  test('names what the functions use, with the digests of the lock file', () => {
    const names = components().map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['@aws-sdk/client-dynamodb', '@middy/core', 'undici', 'zod']),
    );
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(components().find(({ name }) => name === 'zod')?.purl).toBe('pkg:npm/zod@4.6.7');
    for (const { hashes } of components()) expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
  });

  test('names nothing of the local platform or of the tools', () => {
    const names = new Set(components().map(({ name }) => name));
    const tools = ['@marcbachmann/cel-js', 'vitest', 'rolldown', 'osls', 'typescript'];
    expect(tools.filter((name) => names.has(name))).toEqual([]);
  });

  test('comes with the licence of each', () => {
    const notices = read('THIRD-PARTY-NOTICES.txt');
    expect(components().filter(({ name }) => !notices.includes(`\n${name} `))).toEqual([]);
    expect(notices).toContain('zod 4.6.7 (MIT)\n\nMIT License');
  });
});
