import { expect, test } from 'vitest';
import { needsOf } from '../../../infra/host/readiness.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { logLines } from '../../shared/http/log-lines.ts';

type Answer = 'served' | 'absent' | 'down';

/** What is said of an API server that answers like this about each Machine API. */
async function asked(answers: Record<string, Answer>) {
  const { lines, log } = logLines();
  const discover: Kubernetes['discover'] = async (group, _kind, version = '') => {
    if (answers[group] === 'down') throw new Unavailable(`${group} is down`);
    return answers[group] === 'served' ? { group, version, plural: 'machines' } : undefined;
  };
  const opened = { answer: async () => undefined };
  const needs = needsOf({ management: { discover }, opened, config: readConfig({}), log });
  const failure = await needs[0]?.ask().catch((error: unknown) => error);
  return { failure, said: lines.map(({ level, msg, served, why }) => [level, msg, served ?? why]) };
}

test('an API server that serves Machine APIs has answered', async () => {
  expect(await asked({ 'cluster.x-k8s.io': 'served', 'machine.openshift.io': 'served' })).toEqual({
    failure: undefined,
    said: [['info', 'Machine APIs are served', ['cluster.x-k8s.io/v1beta2', 'machine.openshift.io/v1beta1']]],
  });
});

test('so has one that serves none', async () => {
  expect(await asked({})).toEqual({
    failure: undefined,
    said: [['warn', 'No Machine API is served', undefined]],
  });
});

test('one Machine API that is out of order keeps nobody from the others', async () => {
  expect(await asked({ 'cluster.x-k8s.io': 'served', 'cluster.k8s.io': 'down' })).toEqual({
    failure: undefined,
    said: [
      ['warn', 'Machine API could not be asked for', 'cluster.k8s.io is down'],
      ['info', 'Machine APIs are served', ['cluster.x-k8s.io/v1beta2']],
    ],
  });
});

test('an API server that answers about none has not answered', async () => {
  const all = {
    'cluster.x-k8s.io': 'down',
    'machine.openshift.io': 'down',
    'cluster.k8s.io': 'down',
  } as const;
  const { failure, said } = await asked(all);
  expect(failure).toEqual(new Unavailable('cluster.x-k8s.io is down'));
  expect(said).toEqual([]);
});
