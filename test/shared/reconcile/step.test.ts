import { expect, test } from 'vitest';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import { NoCredentials } from '../../../shared/kubernetes/errors.ts';
import { emptyJournal, newStep } from '../../../shared/reconcile/step.ts';
import { aSubject } from '../../builders/subject.ts';
import { anOriginal, withoutCluster } from '../../builders/v1alpha1.ts';
import { aWorld } from '../../builders/world.ts';

test('the Node of a Machine that names no cluster is in none that can be asked', async () => {
  const { env } = aWorld();
  const asked: unknown[] = [];
  env.workloads = {
    of: (workload) => Promise.reject(new Error(`asked for ${String(asked.push(workload))}`)),
  };
  const machine = anOriginal({ metadata: withoutCluster });
  const subject = aSubject({ dialect: { ...originalApi, workload: () => undefined }, machine });
  const arrived = { subject, isSaved: true, unusable: undefined, age: () => 0 };
  const { workload } = newStep(env, arrived, emptyJournal());
  await expect(workload()).rejects.toThrow(
    new NoCredentials('nothing says which cluster the Node of Machine m-1 is in'),
  );
  expect(asked).toEqual([]);
});
