import { phaseFunctions } from '../../../infra/host/phases.ts';
import { assess } from '../../../shared/assess/assess.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { NotGiven } from '../../../shared/plan/node.ts';
import { planOf as planned } from '../../../shared/plan/plan.ts';
import type { World } from '../../builders/world.ts';

type Wanted = Parameters<typeof assess>[2];

/** The plan for a Machine of a world; undefined where there is no such Machine. */
export async function planFor(
  { env }: Pick<World, 'env'>,
  wanted: Wanted,
  notGiven: NotGiven = {},
): Promise<DeletionPlan | undefined> {
  const assessment = await assess(env, phaseFunctions, wanted);
  return assessment && planned(assessment, notGiven);
}

/** The plan for the Machine m-1 of a world. */
export async function planOf(
  world: Pick<World, 'env'>,
  apiVersion = 'cluster.x-k8s.io/v1beta2',
  notGiven: NotGiven = {},
): Promise<DeletionPlan> {
  const plan = await planFor(world, { apiVersion, namespace: 'default', name: 'm-1' }, notGiven);
  if (plan === undefined) throw new Error('there is no such Machine');
  return plan;
}

export const lines = ({ phases }: DeletionPlan): string[] =>
  phases.map(({ phase, does, why }) => `${phase} ${does}: ${why}`);

export const whyOf = (plan: DeletionPlan, phase: string): string | undefined =>
  lines(plan).find((line) => line.startsWith(`${phase} `));
