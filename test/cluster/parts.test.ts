import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newestVersions } from '../../infra/knative/options.ts';
import { forMachineApis } from '../../infra/serverless/for-machine-apis.ts';
import { openAuditLogs } from './audit.ts';
import { exitCodeOf } from './exit-code.ts';
import { declared, renderedObjects } from './install/rendered.ts';
import { readOptions } from './options.ts';
import { lineReport, type Result } from './report.ts';
import { containerOf, eventingOf } from './ways/read-manifests.ts';

type Outcome = Result['outcome'];
const passed: Outcome = { kind: 'passed' };
const failed: Outcome = { kind: 'failed', why: 'the Node is left' };
const notRun: Outcome = { kind: 'not run', why: 'no policies' };
const resultOf = (outcome: Outcome): Result => ({ story: 'worker', way: 'run', outcome, seconds: 1.25 });

test.each([
  [[passed, notRun], false, 0],
  [[passed, notRun], true, 1],
  [[passed, failed], false, 1],
] as const)('the exit code of %j, strict: %j, is %d', (outcomes, strict, code) => {
  expect(exitCodeOf(outcomes.map(resultOf), { strict })).toBe(code);
});

test('the report says of every story how it came out, and of none that could not be told nothing', () => {
  let text = '';
  const report = lineReport({ write: (part) => (text += part) });
  const results = [passed, failed, notRun].map(resultOf);
  for (const result of results) report.result(result);
  report.end(results, 3.75);
  expect(text).toBe(`ok   run       worker                1.3 s
FAIL run       worker                1.3 s
       the Node is left
-    run       worker                1.3 s not run: no policies
1 passed, 1 failed, 1 not run, in 4 s
  failed: run worker
  not run: run worker: no policies
`);
});

test.each([
  [['--only', 'wroker'], /--only wroker: there are worker, /],
  [['--way', 'walk'], /--way walk: there are run, manifests/],
  [['--parallel', '0'], /--parallel takes a number from 1 to 99, not "0"/],
  [['worker'], /unexpected argument "worker"/],
])('%j is refused', (args, why) => {
  expect(() => readOptions(args)).toThrow(why);
});

test('stories and ways are told in their own order, whatever they are named in', () => {
  const { stories, ways } = readOptions(['--only', 'killed,budget', 'worker', '--way', 'manifests', 'run']);
  expect(stories.map(({ name }) => name)).toEqual(['worker', 'budget', 'killed']);
  expect(ways).toEqual(['run', 'manifests']);
});

test('what is read back from the manifests is what was declared, under the names of the run', async () => {
  const objects = await renderedObjects({
    name: 'a-run',
    machineApis: newestVersions,
    environment: { PHASEOUT_LOOK_AGAIN_SECONDS: '5' },
  });
  const url = 'http://127.0.0.1:1';
  const read = eventingOf(objects, () => url);
  const written = forMachineApis(await declared('a-run'), newestVersions);
  expect(read.triggers.map(({ name, filters, subscriber }) => ({ name, filters, subscriber }))).toEqual(
    written.triggers.map(({ name, filters, subscriber }) => ({ name, filters, subscriber })),
  );
  const sinks = read.triggers.map(({ delivery }) => delivery?.deadLetterSink ?? '');
  expect(sinks.map((sink) => sink.split('?')[0])).toEqual(written.triggers.map(() => `${url}/dead-letter`));
  expect(read.apiServerSources.map(({ apiVersion }) => apiVersion)).toEqual(Object.values(newestVersions));
  expect(read.pingSources.map(({ schedule, data }) => [schedule, data])).toEqual([
    ['*/5 * * * * *', '{"sweep":"due"}'],
    ['0 */3 * * * *', '{"sweep":"all"}'],
  ]);
  const { environment, serviceAccountName } = containerOf(objects);
  expect(serviceAccountName).toBe('phaseout');
  expect(environment).toMatchObject({ PHASEOUT_LOOK_AGAIN_SECONDS: '5', PHASEOUT_TABLE: 'phaseout' });
});

const entry = (username: string, code: number, message: string): string =>
  JSON.stringify({
    verb: 'delete',
    requestURI: '/api/v1/nodes/a',
    user: { username: `system:serviceaccount:${username}` },
    stageTimestamp: '2026-01-01T00:00:00.000Z',
    responseStatus: { code, message },
  });

test('of an audit log counts what our ServiceAccounts were refused since it was opened', async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'phaseout-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'audit.log');
  const forbidden = 'nodes "a" is forbidden: User "u" cannot delete resource "nodes" in API group ""';
  await writeFile(file, `${entry('ours:phaseout', 403, forbidden)}\n`);
  const logs = await openAuditLogs([file]);
  const lines = [
    entry('ours:phaseout', 403, forbidden),
    entry('ours:phaseout', 200, ''),
    entry('ours:phaseout', 403, 'unable to create new content because it is being terminated'),
    entry('theirs:phaseout', 403, forbidden),
  ];
  await appendFile(file, `${lines.join('\n')}\n{"half`);
  expect(await logs.read(['ours'])).toEqual({
    requests: 3,
    denials: [
      {
        user: 'system:serviceaccount:ours:phaseout',
        verb: 'delete',
        uri: '/api/v1/nodes/a',
        at: 1_767_225_600_000,
      },
    ],
  });
});
