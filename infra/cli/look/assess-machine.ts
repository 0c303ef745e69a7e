import { assess, type KnownBeside } from '../../../shared/assess/assess.ts';
import type { Assessment } from '../../../shared/assess/assessment.ts';
import { shownDialect } from '../../../shared/assess/shown-dialect.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { dialects } from '../../../shared/dialects/registry.ts';
import type { DeletionStatus } from '../../../shared/explain/deletion-status.ts';
import { standingHeldBy, standingOf } from '../../../shared/explain/status-of.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { hooksAgeMilliseconds } from '../../../shared/phase/hooks.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { planOf } from '../../../shared/plan/plan.ts';
import { ownObjectsIn } from '../../../shared/read/own-objects.ts';
import { phaseFunctions } from '../../host/phases.ts';
import type { Looker } from './looker.ts';

/** One Machine as every reader sees it. */
export interface LookedAt {
  assessment: Assessment;
  plan: DeletionPlan;
  /** Absent for a Machine that is not being deleted. */
  standing: DeletionStatus | undefined;
}

/** Assesses a Machine that was read; undefined where it has gone meanwhile. Throws Unavailable and MachineUnreadable. */
export async function assessMachine(
  { environment, unknownBudgets, notGiven }: Pick<Looker, 'environment' | 'unknownBudgets' | 'notGiven'>,
  raw: KubeObject,
): Promise<LookedAt | undefined> {
  const { clock, dialects: configured } = environment;
  const deletionHooks = await hooksBeside(raw, environment);
  const standing = standingOf(raw, { now: clock.now(), dialects: configured, deletionHooks });
  const dialect = carryingDialect(raw, standing, configured);
  if (dialect === undefined) return undefined;
  const { ref } = dialect.read(raw);
  const beside: KnownBeside = {
    uncomputed: unknownBudgets,
    stands: standing?.carriedBy === 'controller' ? standsAt(standing) : undefined,
  };
  const assessment = await assess({ ...environment, dialects: [dialect] }, phaseFunctions, ref, beside);
  if (assessment === undefined) return undefined;
  return {
    assessment,
    plan: planOf(assessment, notGiven(ref)),
    standing: standing && standingHeldBy(standing, assessment.held),
  };
}

/** The assessment has them from the same list. What cannot be read is noted by who reads. */
async function hooksBeside(
  { metadata: { namespace, deletionTimestamp } }: KubeObject,
  environment: Looker['environment'],
): Promise<readonly KubeObject[]> {
  if (namespace === undefined || deletionTimestamp === undefined) return [];
  try {
    return (await ownObjectsIn({ kind: 'DeletionHook', namespace }, environment, hooksAgeMilliseconds)) ?? [];
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return [];
  }
}

/** Where the API's own controller carries it on, that one's phases count, and no function is asked. */
function carryingDialect(
  raw: KubeObject,
  standing: DeletionStatus | undefined,
  configured: readonly Dialect[],
): Dialect | undefined {
  const shown = shownDialect(raw, configured);
  if (standing?.carriedBy !== 'controller') return shown;
  const plain = dialects.find(({ group }) => group === shown?.group);
  return plain && { ...plain, isObserved: true };
}

function standsAt({ machine, phase, since, deletedAt }: DeletionStatus): KnownBeside['stands'] {
  if (phase === undefined) return undefined;
  return { v: 1, uid: machine.uid, seq: 0, phase, since: since ?? deletedAt, passed: {} };
}
