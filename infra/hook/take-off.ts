import { hasHook, type OurHook, releasedAnnotation } from '../../shared/dialects/beside/hook.ts';
import type { Kubernetes, Resource, WriteOutcome } from '../../shared/kubernetes/client.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { ruledElsewhere } from './elsewhere.ts';
import { releasePatch } from './patch.ts';

/** What became of our hook on one Machine. */
export type TakenOff =
  | { kind: 'released' }
  /** There is nothing to take off: the Machine is gone, or has no such hook. */
  | { kind: 'gone' | 'none' }
  /** A hook of that name has another value: it is not ours, and stays. */
  | { kind: 'foreign'; value: string }
  /** Another Machine API rules the Machine: it is that one's Machine that the hook goes from. */
  | { kind: 'elsewhere'; why: string }
  | { kind: 'failed'; why: string };

/** Whose hook goes, and where. */
export interface Hooked {
  kubernetes: Pick<Kubernetes, 'get' | 'jsonPatch'>;
  resource: Resource;
  hook: OurHook;
  /** Whether a living Machine is marked as released, as it is unless something else is said. */
  marksLiving?: boolean;
  /** Whether one that has no hook yet is marked, too. */
  marksUnhooked?: boolean;
}

const maxTries = 10;

/**
 * Takes our hook off this Machine and no later one of its name; if it has changed, it is read again. An API server that does
 * not answer is an outcome.
 */
export async function takeHookOff(hooked: Hooked, seen: KubeObject): Promise<TakenOff> {
  try {
    return await patiently(hooked, seen);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { kind: 'failed', why: error.message };
  }
}

async function patiently(hooked: Hooked, seen: KubeObject): Promise<TakenOff> {
  const { kubernetes, resource, hook, marksLiving } = hooked;
  const { name, namespace = '', uid } = seen.metadata;
  let machine: KubeObject | undefined = seen;
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (machine === undefined || machine.metadata.uid !== uid) return { kind: 'gone' };
    const foreseen = foresee(hooked, machine);
    if (foreseen.kind !== 'released') return foreseen;
    const patch = releasePatch(machine, hook, marksLiving);
    const outcome = await kubernetes.jsonPatch(resource, { namespace, name }, patch);
    if (outcome.kind !== 'conflict') return read(outcome, hook);
    machine = await kubernetes.get(resource, { namespace, name });
  }
  return { kind: 'failed', why: `it kept changing while it was to be written (${maxTries} times)` };
}

/** What would become of the hook if all goes well: `released` where there is something to write. */
export function foresee({ hook, marksUnhooked = false }: Foreseen, machine: KubeObject): TakenOff {
  const { annotations = {}, deletionTimestamp } = machine.metadata;
  const value = hook.ownerOn(machine);
  const why = ruledElsewhere(machine);
  if (value !== undefined && why !== undefined) return { kind: 'elsewhere', why };
  if (hasHook(machine, hook)) return { kind: 'released' };
  if (value !== undefined) return { kind: 'foreign', value };
  const isUnmarked = deletionTimestamp === undefined && annotations[releasedAnnotation] === undefined;
  return { kind: marksUnhooked && isUnmarked ? 'released' : 'none' };
}

type Foreseen = Pick<Hooked, 'hook' | 'marksUnhooked'>;

function read(outcome: Exclude<WriteOutcome, { kind: 'conflict' }>, hook: OurHook): TakenOff {
  if (outcome.kind === 'gone') return { kind: 'gone' };
  if (outcome.kind === 'refused') return { kind: 'failed', why: outcome.message };
  return hook.ownerOn(outcome.object) === undefined
    ? { kind: 'released' }
    : { kind: 'failed', why: 'the hook is there again: a webhook or a policy puts it back' };
}
