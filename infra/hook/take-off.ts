import {
  hasHook,
  type OurHook,
  pathOfAnnotation,
  releasedAnnotation,
} from '../../shared/dialects/beside/hook.ts';
import { isRuledByOpenShift } from '../../shared/dialects/capi/annotations.ts';
import { authorityMessage, ruledElsewhereBy } from '../../shared/dialects/openshift/judgements.ts';
import type { JsonPatchOperation, Kubernetes, Resource } from '../../shared/kubernetes/client.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { takeHookOff } from '../../shared/write/hook-off.ts';

/** What became of our hooks on one Machine. */
export type TakenOff =
  | { kind: 'released' }
  /** There is nothing to take off: the Machine is gone, or has no such hook. */
  | { kind: 'gone' | 'none' }
  /** A hook of that name has another value: it is not ours, and stays. */
  | { kind: 'foreign'; value: string }
  /** Another Machine API rules the Machine: it is that one's Machine that the hook goes from. */
  | { kind: 'elsewhere'; why: string }
  | { kind: 'failed'; why: string };

/** Which hooks go, and where. */
export interface Hooked {
  kubernetes: Pick<Kubernetes, 'get' | 'jsonPatch'>;
  resource: Resource;
  hooks: readonly OurHook[];
  /** Whether a living Machine is marked as released, as it is unless something else is said. */
  marksLiving?: boolean;
  /** Whether one that has no hook yet is marked, too. */
  marksUnhooked?: boolean;
}

const maxTries = 10;

/**
 * Takes our hooks off this Machine and no later one of its name. If it has changed, it is read again. An API server that
 * does not answer is an outcome.
 */
export async function releaseHook(hooked: Hooked, seen: KubeObject): Promise<TakenOff> {
  try {
    return await withRetries(hooked, seen);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { kind: 'failed', why: error.message };
  }
}

async function withRetries(hooked: Hooked, seen: KubeObject): Promise<TakenOff> {
  const { kubernetes, resource, hooks, marksLiving = true } = hooked;
  const { name, namespace = '', uid } = seen.metadata;
  let machine: KubeObject | undefined = seen;
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (machine === undefined || machine.metadata.uid !== uid) return { kind: 'gone' };
    const foreseen = foresee(hooked, machine);
    if (foreseen.kind !== 'released') return foreseen;
    const also = [...forgetting(machine, hooks, marksLiving), ...marking(machine, marksLiving)];
    const outcome = await takeHookOff({ kubernetes, resource, machine, hooks, mayLackHook: true }, also);
    if (outcome.kind === 'written') return { kind: 'released' };
    if (outcome.kind === 'gone') return { kind: 'gone' };
    if (outcome.kind === 'refused') return { kind: 'failed', why: outcome.message };
    if (outcome.kind === 'back') return { kind: 'failed', why: isBack };
    machine = await kubernetes.get(resource, { namespace, name });
  }
  return { kind: 'failed', why: `it kept changing while it was to be written (${maxTries} times)` };
}

/** The names of these hooks that the Machine has, of whatever owner; that of the first where it has none. For people. */
export function namesOn(machine: KubeObject, hooks: readonly OurHook[]): string {
  const there = hooks.filter((hook) => hook.ownerOn(machine) !== undefined);
  return (there.length === 0 ? hooks.slice(0, 1) : there).map(({ name }) => name).join(' and ');
}

/** What would become of the hooks if all goes well: `released` where there is something to write. */
export function foresee({ hooks, marksUnhooked = false }: Foreseen, machine: KubeObject): TakenOff {
  const { annotations = {}, deletionTimestamp } = machine.metadata;
  const value = hooks.map((hook) => hook.ownerOn(machine)).find((owner) => owner !== undefined);
  const why = ruledElsewhere(machine);
  if (value !== undefined && why !== undefined) return { kind: 'elsewhere', why };
  if (hooks.some((hook) => hasHook(machine, hook))) return { kind: 'released' };
  if (value !== undefined) return { kind: 'foreign', value };
  const isUnmarked = deletionTimestamp === undefined && annotations[releasedAnnotation] === undefined;
  return { kind: marksUnhooked && isUnmarked ? 'released' : 'none' };
}

type Foreseen = Pick<Hooked, 'hooks' | 'marksUnhooked'>;

const isBack = 'the hook is there again: a webhook or a policy puts it back';

/** It is not counted as taken off by others: a later installation may put it on. */
const forgetting = (
  machine: KubeObject,
  hooks: readonly OurHook[],
  marksLiving: boolean,
): JsonPatchOperation[] =>
  hooks
    .filter((hook) => !marksLiving && hasHook(machine, hook))
    .filter(({ counter }) => machine.metadata.annotations?.[counter] !== undefined)
    .map(({ counter }) => ({ op: 'remove', path: pathOfAnnotation(counter) }));

/** Marks a living Machine as released: neither the sweep nor a policy puts the hook on again. */
const marking = ({ metadata }: KubeObject, marksLiving: boolean): JsonPatchOperation[] =>
  marksLiving && metadata.deletionTimestamp === undefined
    ? [{ op: 'add', path: pathOfAnnotation(releasedAnnotation), value: 'true' }]
    : [];

/** Why our hook stays on the copy of a Machine that is in two APIs. The other API rules it. Undefined elsewhere. */
export function ruledElsewhere(machine: KubeObject): string | undefined {
  const authority = ruledElsewhereBy(machine);
  if (authority !== undefined)
    return `${authorityMessage(authority)}. It goes with the hook of that API's own Machine`;
  return isRuledByOpenShift(machine)
    ? "OpenShift's Machine of this name rules it. Run this again if the authority moves to Cluster API"
    : undefined;
}
