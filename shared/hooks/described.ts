import type { KubeObject } from '../kubernetes/objects.ts';
import type { HookPlace } from '../machine/hook-call.ts';
import { mayBeSelected, type Selectable } from '../machine/selection.ts';
import { compareBytes } from '../text/byte-order.ts';
import { type DeletionHook, readDeletionHook } from './deletion-hook.ts';

/** What a DeletionHook says of a hook that others set. */
export interface Described {
  silentAfterSeconds: number;
  contact?: string;
  runbook?: string;
}

/** A hook of others on a Machine. */
interface HookOfOthers {
  namespace: string;
  place: HookPlace;
  /** Of an annotation, what follows the slash. */
  name: string;
  machine: Omit<Selectable, 'clusterLabels'>;
}

/** What is said of a hook of others; the first DeletionHook by name counts. Undefined where none describes it. */
export function describedBy(objects: readonly KubeObject[], hook: HookOfOthers): Described | undefined {
  const found = objects
    .filter(({ metadata }) => metadata.namespace === hook.namespace)
    .flatMap((object) => readDeletionHook(object) ?? [])
    .toSorted((a, b) => compareBytes(a.name, b.name))
    .find(({ spec }) => describes(spec, hook));
  if (found === undefined) return undefined;
  const { silentAfter, contact, runbook } = found.spec;
  return {
    silentAfterSeconds: silentAfter,
    ...(contact !== undefined && { contact }),
    ...(runbook !== undefined && { runbook }),
  };
}

function describes(spec: DeletionHook['spec'], { place, name, machine }: HookOfOthers): boolean {
  return spec.setBy === 'Others' && spec.at === place && spec.hook === name && mayBeSelected(spec, machine);
}
