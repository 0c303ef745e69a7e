import { hasHook, listOf } from '../../shared/dialects/beside/hook.ts';
import { controlPlaneLabel } from '../../shared/dialects/capi/read.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { isMaster } from '../../shared/dialects/openshift/read.ts';
import { askedAt, isPending } from '../../shared/hooks/asked.ts';
import { askingAt, selectHooks, withoutClusters } from '../../shared/hooks/deletion-hook.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { checkpointAnnotation, isPast, parseCheckpoint } from '../../shared/machine/checkpoint.ts';
import { type HookPlace, pointOf } from '../../shared/machine/hook-call.ts';
import type { HookedApi } from './hooked-apis.ts';

/** A DeletionHook that a Machine waits for, or is to wait for, while a hook of ours is on it. */
export interface Unasked {
  /** For people. */
  name: string;
  whenGone: 'Hold' | 'Proceed';
}

/**
 * Which functions would not be asked any more if our hooks went off the Machine now. As its Cluster is not read, none is left
 * out for the labels of that. Those that were asked, and have not ended, are on the Machine.
 */
export const unaskedOn = (
  machine: KubeObject,
  { hooks, dialect }: Pick<HookedApi, 'hooks' | 'dialect'>,
  deletionHooks: readonly KubeObject[],
): Unasked[] =>
  listOf(hooks)
    .filter((hook) => machine.metadata.deletionTimestamp !== undefined && hasHook(machine, hook))
    .flatMap(({ place }) => unaskedAt(place, machine, dialect, deletionHooks));

/** The same at one place. */
export function unaskedAt(
  place: HookPlace,
  { metadata }: KubeObject,
  dialect: Dialect,
  deletionHooks: readonly KubeObject[],
): Unasked[] {
  const { annotations = {}, labels = {}, namespace = '', name, uid = '' } = metadata;
  const asked = askedAt({ annotations, ref: { apiVersion: '', namespace, name, uid } }, place);
  if (asked !== undefined) return asked.filter(isPending);
  const saved = parseCheckpoint(annotations[checkpointAnnotation], uid);
  if (saved.kind === 'valid' && isPast(saved.checkpoint, pointOf[place])) return [];
  const isControlPlane = isControlPlaneBy(labels, dialect);
  const asking = withoutClusters(askingAt(deletionHooks, place));
  const { hooks, unclear } = selectHooks(asking, place, { labels, clusterLabels: {}, isControlPlane });
  return [
    ...hooks.map(({ name: each, spec: { whenGone } }) => ({ name: each, whenGone })),
    ...unclear.map((why) => ({ name: why, whenGone: 'Hold' as const })),
  ];
}

/** As far as the labels of a Machine tell. */
export const isControlPlaneBy = (labels: Readonly<Record<string, string>>, { group }: Dialect): boolean =>
  group === openShift.group ? isMaster(labels) : controlPlaneLabel in labels;
