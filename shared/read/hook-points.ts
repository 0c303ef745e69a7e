import type { Dialect, HookPoint } from '../dialects/dialect.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import { askedAt, isOpen } from '../hooks/asked.ts';
import { selectHooks } from '../hooks/deletion-hook.ts';
import { readOr } from '../kubernetes/errors.ts';
import type { HookPlace } from '../machine/hook-call.ts';
import type { Machine } from '../machine/machine.ts';
import { isBefore } from '../machine/phase.ts';
import { bypassOf, hooksAgeMilliseconds, selectable } from '../phase/hooks.ts';
import { whyNotAsked } from '../phase/hooks-ahead.ts';
import { type NextPhase, nextPhase } from '../phase/next-phase.ts';
import { policiesAgeMilliseconds } from '../phase/places.ts';
import { mayHold, readPolicies } from '../policies/drain-policy.ts';
import type { Environment } from '../runtime/environment.ts';
import { ownObjectsIn } from './own-objects.ts';

interface Asking {
  machine: Machine;
  dialect: Dialect;
  surroundings: ClusterState;
}

/**
 * Whether a DeletionHook is asked for the Machine at a place, as far as that can be told. A list that fails counts as
 * one that may have it: the phase looks itself, and says what is wrong.
 */
export async function mayAskAt(env: Environment, asking: Asking, place: HookPlace): Promise<boolean> {
  const { machine, dialect } = asking;
  if (whyNotAsked(dialect) !== undefined) return false;
  const asked = askedAt(machine, place);
  if (asked !== undefined) return asked.some(isOpen);
  return readOr(true, async () => {
    const { namespace } = machine.ref;
    const objects = await ownObjectsIn({ kind: 'DeletionHook', namespace }, env, hooksAgeMilliseconds);
    const { hooks, unclear } = selectHooks(objects ?? [], place, selectable(asking));
    return hooks.length + unclear.length > 0;
  });
}

/** Whether a DrainPolicy may hold the Machine before its drain. A list that fails counts as one that may have it. */
function mayWaitForPlace(env: Environment, about: Asking & { nodeDeletion: NodeDeletion }): Promise<boolean> {
  const { dialect, machine } = about;
  if (whyNotAsked(dialect) !== undefined || bypassOf(about) !== undefined) return Promise.resolve(false);
  return readOr(true, async () => {
    const { namespace } = machine.ref;
    const objects = await ownObjectsIn({ kind: 'DrainPolicy', namespace }, env, policiesAgeMilliseconds);
    return mayHold(readPolicies(objects ?? []), selectable(about));
  });
}

/** Where a deletion begins. Without a drain it leads past both places where functions are asked. */
export async function firstLeg(
  env: Environment,
  about: Asking & { nodeDeletion: NodeDeletion },
): Promise<NextPhase> {
  const { machine, dialect, nodeDeletion } = about;
  const legBy = (asksAt: HookPoint[]): NextPhase => nextPhase(machine, dialect, nodeDeletion, { asksAt });
  if ((await mayAskAt(env, about, 'PreDrain')) || (await mayWaitForPlace(env, about)))
    return legBy(['pre-drain']);
  const leg = legBy([]);
  const isPast = isBefore('pre-terminate', leg.phase);
  return isPast && (await mayAskAt(env, about, 'PreTerminate')) ? legBy(['pre-terminate']) : leg;
}
