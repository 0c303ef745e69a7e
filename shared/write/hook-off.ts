import { hasHook, type OurHook } from '../dialects/beside/hook.ts';
import type { JsonPatchOperation, Kubernetes, Resource, WriteOutcome } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { webhookFailureAsRefusal } from './outcome.ts';

/** A Machine as it was seen, and our hook on it. */
interface Hooked {
  kubernetes: Pick<Kubernetes, 'jsonPatch'>;
  resource: Resource;
  machine: KubeObject;
  hook: OurHook;
  /** The rest of the patch is written to a Machine without our hook, too. Otherwise that is a conflict. */
  mayLackHook?: boolean;
}

/**
 * Takes our hook off the Machine, and only ours, if the Machine is still exactly as it was seen. `also` goes with the
 * same patch: the Machine never has one without the other. `back`: a webhook or a policy has put the hook back.
 * Throws Unavailable.
 */
export async function takeHookOff(
  hooked: Hooked,
  also: readonly JsonPatchOperation[],
): Promise<WriteOutcome | { kind: 'back' }> {
  const { kubernetes, resource, machine, hook } = hooked;
  const { namespace = '', name } = machine.metadata;
  const write = kubernetes.jsonPatch(resource, { namespace, name }, hookOff(hooked, also));
  const outcome = await webhookFailureAsRefusal(write);
  const isBack = outcome.kind === 'written' && hook.ownerOn(outcome.object) !== undefined;
  return isBack ? { kind: 'back' } : outcome;
}

function hookOff(
  { machine, hook, mayLackHook = false }: Hooked,
  also: readonly JsonPatchOperation[],
): JsonPatchOperation[] {
  const { uid, resourceVersion, annotations } = machine.metadata;
  const isFirstAnnotation = annotations === undefined && also.some(({ op }) => op === 'add');
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    ...(mayLackHook && !hasHook(machine, hook) ? [] : hook.takingOff(machine)),
    ...(isFirstAnnotation ? [{ op: 'add' as const, path: '/metadata/annotations', value: {} }] : []),
    ...also,
  ];
}
