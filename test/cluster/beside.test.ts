import { expect, test } from 'vitest';
import { newestVersions } from '../../infra/knative/options.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { aSurvey } from '../builders/survey.ts';
import { isMade, renderedObjects } from './install/rendered.ts';
import { readOptions, usage } from './options.ts';
import { refuseToRun } from './refuse.ts';
import { settingsFor } from './settings.ts';

const rendered = (beside: boolean): Promise<KubeObject[]> =>
  renderedObjects({
    name: 'a-run',
    machineApis: newestVersions,
    environment: settingsFor('abcde', { beside }),
  });

const madeIn = async (hasMutatingPolicies: boolean): Promise<KubeObject[]> =>
  (await rendered(true)).filter((object) => isMade(object, { hasPolicies: true, hasMutatingPolicies }));

const namesOf = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`);

test('--beside tells the stories of that mode, and no others', () => {
  const { stories } = readOptions(['--beside', '--only', 'rights', 'handed-over']);
  expect(stories.map(({ name }) => name)).toEqual(['handed-over', 'rights']);
  expect(() => readOptions(['--beside', '--only', 'worker'])).toThrow(
    '--only worker: there are handed-over, hook-before, paused-drain, without-hook, taken-off, released, rights, registered',
  );
  expect(() => readOptions(['--only', 'rights'])).toThrow(/there are worker, /);
  expect(usage).toMatch(/--beside +the stories of mode beside, and no others: handed-over, /);
});

test('beside, the policies and the Lease are made of what is rendered, and nothing for the hook watchdog', async () => {
  const names = namesOf(await madeIn(true));
  expect(names.filter((name) => !/^(ServiceAccount|(Cluster)?Role(Binding)?) /.test(name))).toEqual([
    'Lease phaseout-abcde',
    'MutatingAdmissionPolicy beside-registration.a-run.phaseout.dev',
    'MutatingAdmissionPolicyBinding beside-registration.a-run.phaseout.dev',
    'ConfigMap a-run-registration',
    'ValidatingAdmissionPolicy beside-rights.a-run.phaseout.dev',
    'ValidatingAdmissionPolicyBinding beside-rights.a-run.phaseout.dev',
  ]);
  expect(names.filter((name) => name.includes('dead-man'))).toEqual([]);
  const without = namesOf(await madeIn(false));
  expect(names.filter((name) => !without.includes(name))).toEqual([
    'MutatingAdmissionPolicy beside-registration.a-run.phaseout.dev',
    'MutatingAdmissionPolicyBinding beside-registration.a-run.phaseout.dev',
    'ConfigMap a-run-registration',
  ]);
});

test('beside, Machines of others get no hook', async () => {
  const binding = (await madeIn(true)).find(({ kind }) => kind === 'MutatingAdmissionPolicyBinding');
  expect(binding?.['spec']).toMatchObject({
    matchResources: { objectSelector: { matchLabels: { 'phaseout.dev/test': 'abcde' } } },
  });
});

test("in place of Cluster API's own controller nothing of mode beside is made", async () => {
  const names = namesOf(await rendered(false));
  expect(names.filter((name) => /Admission|Lease|registration|dead-man/.test(name))).toEqual([]);
});

const found = aSurvey({ peer: 'Deployment capi-system/capi-controller-manager is up' });
const site = { server: 'https://127.0.0.1' };

test("Cluster API's own controller at work is in the way of all stories but those beside it", () => {
  expect(() => refuseToRun(found, readOptions([]), site)).toThrow(
    "Cluster API's own controller runs at https://127.0.0.1 (Deployment capi-system/capi-controller-manager is up) and would delete the Machines of the test as well: --beside tells the stories beside it",
  );
  expect(() => refuseToRun(found, readOptions(['--beside']), site)).not.toThrow();
});
