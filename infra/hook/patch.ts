import {
  hasHook,
  type OurHook,
  pathOfAnnotation,
  registeredAnnotation,
  releasedAnnotation,
} from '../../shared/dialects/beside/hook.ts';
import type { JsonPatchOperation } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';

/**
 * Takes our hook off the Machine that was seen, and no later version of it. Marks a living Machine as released, where that is
 * wanted, so that neither the sweep nor a policy puts the hook on again; on one that is being deleted it is never put on.
 */
export function releasePatch(machine: KubeObject, hook: OurHook, marksLiving = true): JsonPatchOperation[] {
  const { uid, resourceVersion, annotations, deletionTimestamp } = machine.metadata;
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    ...(hasHook(machine, hook) ? hook.takingOff(machine) : []),
    ...forgetting(machine, hook, marksLiving),
    ...(marksLiving && deletionTimestamp === undefined ? marking(annotations === undefined) : []),
  ];
}

/** It is not counted as taken off by others: a later installation may put it on. */
const forgetting = (machine: KubeObject, hook: OurHook, marksLiving: boolean): JsonPatchOperation[] =>
  !marksLiving && hasHook(machine, hook) && machine.metadata.annotations?.[registeredAnnotation] !== undefined
    ? [{ op: 'remove', path: pathOfAnnotation(registeredAnnotation) }]
    : [];

const marking = (isFirst: boolean): JsonPatchOperation[] => [
  ...(isFirst ? [{ op: 'add' as const, path: '/metadata/annotations', value: {} }] : []),
  { op: 'add', path: pathOfAnnotation(releasedAnnotation), value: 'true' },
];
