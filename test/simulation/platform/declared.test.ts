import { expect, test } from 'vitest';
import { readDeclaredFunctions } from '../../../infra/local/platform/declared-functions.ts';
import { declared } from './declared.ts';

const schedulesOf = ({ pingSources }: Awaited<ReturnType<typeof readDeclaredFunctions>>) =>
  pingSources.map(({ name, schedule }) => ({ name, schedule }));

test('ticks come as often as serverless.yml has them unless a world wants them otherwise', async () => {
  expect(schedulesOf(declared('v1beta2', {}))).toEqual(schedulesOf(await readDeclaredFunctions([])));
});

test('ticks come as often as a world wants them', () => {
  expect(schedulesOf(declared('v1beta1', { dueSeconds: 20, allMinutes: 1 }))).toEqual([
    { name: 'sweep-due', schedule: '*/20 * * * * *' },
    { name: 'sweep-all', schedule: '0 */1 * * * *' },
  ]);
});

test.each(['v1beta1', 'v1beta2'] as const)(
  'Machines of all three APIs are watched, of Cluster API %s',
  (version) => {
    const watched = declared(version, {}).apiServerSources.map(({ apiVersion }) => apiVersion);
    expect(watched.toSorted()).toEqual([
      'cluster.k8s.io/v1alpha1',
      `cluster.x-k8s.io/${version}`,
      'machine.openshift.io/v1beta1',
    ]);
  },
);
