import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { planDeletion } from '../../../shared/plan/plan-deletion.ts';
import type { World } from '../../builders/world.ts';

/** The plan for the Machine m-1 of a world. */
export async function planOf(
  { env }: Pick<World, 'env'>,
  apiVersion = 'cluster.x-k8s.io/v1beta2',
): Promise<DeletionPlan> {
  const plan = await planDeletion(env, { apiVersion, namespace: 'default', name: 'm-1' });
  if (plan === undefined) throw new Error('there is no such Machine');
  return plan;
}

export const lines = ({ phases }: DeletionPlan): string[] =>
  phases.map(({ phase, does, why }) => `${phase} ${does}: ${why}`);

export const whyOf = (plan: DeletionPlan, phase: string): string | undefined =>
  lines(plan).find((line) => line.startsWith(`${phase} `));
