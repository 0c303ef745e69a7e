import { describe, expect, test } from 'vitest';
import { CannotDo } from '../../infra/terminal/usage-error.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { aSurvey } from '../builders/survey.ts';
import type { Survey } from '../cluster/survey.ts';
import { unaskedCluster } from '../infra/cli/unasked-cluster.ts';
import { readOptions, usageOf } from './options.ts';
import { refuseToPlay } from './refuse.ts';
import { expectEnd } from './stage.ts';
import { steps } from './steps/index.ts';

const given = ['--image', 'registry.example/phaseout:1'];

const names = (...args: string[]) => readOptions([...given, ...args], steps).steps.map(({ name }) => name);

describe('the command line', () => {
  test('needs an image, but for help and for cleaning up', () => {
    expect(() => readOptions([], steps)).toThrow('test:install needs --image: one that the cluster can pull');
    expect(readOptions(['--clean-up'], steps)).toMatchObject({ cleanUp: true, image: undefined });
    expect(readOptions(['--help'], steps)).toMatchObject({ help: true });
  });

  test('plays all steps in their order, or those that are named with those that each needs', () => {
    expect(names()).toEqual([
      'dry-run',
      'wrong-mode',
      'deploy',
      'deploy-again',
      'second',
      'deletion',
      'history',
      'killed',
      'upgrade',
      'store-away',
      'namespaces',
      'modes',
      'watchdog',
      'page',
      'zero',
      'remove',
      'package',
      'osls',
    ]);
    expect(names('--only', 'zero,page')).toEqual(['deploy', 'page', 'zero', 'remove']);
    expect(() => names('--only', 'nothing')).toThrow(
      '--only nothing: there are dry-run, wrong-mode, deploy, ',
    );
  });

  test('help names each step and each option', () => {
    for (const { name } of steps) expect(usageOf(steps)).toContain(name);
    for (const name of [
      'image',
      'next-image',
      'set',
      'only',
      'reinstall',
      'beside-machines',
      'timeout',
      'strict',
    ])
      expect(usageOf(steps)).toContain(`--${name} `);
  });
});

const found = aSurvey();

interface Wishes {
  knative?: boolean;
  namespace?: KubeObject;
  survey?: Partial<Survey>;
  args?: string[];
}

function refusing({ knative = true, namespace, survey = {}, args = [] }: Wishes): Promise<void> {
  const resource = { group: 'a', version: 'v1', plural: 'as' };
  const site = {
    server: 'https://here',
    kubernetes: {
      ...unaskedCluster,
      discover: () => Promise.resolve(knative ? resource : undefined),
      get: () => Promise.resolve(namespace),
    },
  };
  return refuseToPlay(site, { ...found, ...survey }, readOptions([...given, ...args], steps));
}

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'phaseout' } };

test.each<[string, Wishes, string]>([
  ['without Knative', { knative: false }, 'https://here has no Knative Serving and Eventing'],
  ['with phaseout', { namespace }, 'Namespace phaseout is at https://here already'],
  ['with what an earlier run has left', { survey: { otherRuns: ['abcde'] } }, '--clean-up takes it away'],
  [
    'with Machines of others',
    { survey: { foreignMachines: ['prod/m-1'] } },
    'https://here has 1 Machines of somebody else (prod/m-1): --beside-machines',
  ],
  [
    'with another controller of Machines',
    { survey: { ownControllers: ['old/clusterapi-controllers'] } },
    'old/clusterapi-controllers at https://here would delete the Machines of the test as well',
  ],
])('nothing begins on a cluster %s', async (_, wishes, why) => {
  await expect(refusing(wishes)).rejects.toThrow(CannotDo);
  await expect(refusing(wishes)).rejects.toThrow(why);
});

test.each<[string, Wishes]>([
  ['a cluster with Knative alone', {}],
  ['one with phaseout that may be removed', { namespace, args: ['--reinstall'] }],
  [
    'one with Machines of others that may be there',
    { survey: { foreignMachines: ['a/b'] }, args: ['--beside-machines'] },
  ],
])('%s is taken', async (_, wishes) => {
  await expect(refusing(wishes)).resolves.toBeUndefined();
});

test('a command that ended otherwise is told with all that it said', () => {
  const ended = { code: 1, text: 'refused: why', seconds: 1 };
  expect(expectEnd(ended, 1, 'refused', /why$/)).toBe(ended);
  expect(() => expectEnd(ended, 0, 'ready')).toThrow(
    'exit code 1, not 0\nit does not say ready\nrefused: why',
  );
});
