import { hasHook, type OurHook } from '../dialects/beside/hook.ts';
import type { JsonPatchOperation, Kubernetes, Resource, WriteOutcome } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { webhookFailureAsRefusal } from './outcome.ts';

/** A Machine as it was seen, and hooks of ours on it. */
interface Hooked {
  kubernetes: Pick<Kubernetes, 'jsonPatch'>;
  resource: Resource;
  machine: KubeObject;
  hooks: readonly OurHook[];
  /** The rest of the patch is written to a Machine without these hooks, too. Otherwise that is a conflict. */
  mayLackHook?: boolean;
}

/**
 * Takes these hooks of ours off the Machine, if it is still exactly as it was seen. `also` goes with the same patch: the Machine never has one without the other. `back`: a webhook or a policy has put a hook back.
 * Throws Unavailable.
 */
export async function takeHookOff(
  hooked: Hooked,
  also: readonly JsonPatchOperation[],
): Promise<WriteOutcome | { kind: 'back' }> {
  const { kubernetes, resource, machine, hooks } = hooked;
  const { namespace = '', name } = machine.metadata;
  const write = kubernetes.jsonPatch(resource, { namespace, name }, hookOff(hooked, also));
  const outcome = await webhookFailureAsRefusal(write);
  if (outcome.kind !== 'written') return outcome;
  const { object } = outcome;
  return hooks.some((hook) => hasHook(machine, hook) && hook.ownerOn(object) !== undefined)
    ? { kind: 'back' }
    : outcome;
}

function hookOff(
  { machine, hooks, mayLackHook = false }: Hooked,
  also: readonly JsonPatchOperation[],
): JsonPatchOperation[] {
  const { uid, resourceVersion, annotations } = machine.metadata;
  const isFirstAnnotation = annotations === undefined && also.some(({ op }) => op === 'add');
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    ...hooks.flatMap((hook) => (mayLackHook && !hasHook(machine, hook) ? [] : hook.takingOff(machine))),
    ...(isFirstAnnotation ? [{ op: 'add' as const, path: '/metadata/annotations', value: {} }] : []),
    ...also,
  ];
}
