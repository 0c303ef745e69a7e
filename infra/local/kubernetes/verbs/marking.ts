import type { Resource } from '../discovery/resource.ts';
import { type Api, timestamp } from '../objects/api.ts';
import type { DeleteOptions, KubeObject } from '../objects/cluster.ts';
import { withMetadata } from '../objects/kube-object.ts';
import { numberAt, textAt } from '../server/json.ts';

export interface RemoveOptions extends DeleteOptions {
  orphanDependents?: boolean;
  dryRun?: boolean;
}

/**
 * The object as it must be stored before it can go. The object itself when it can go now; undefined when nothing
 * changes.
 */
export function mark(
  api: Api,
  resource: Resource,
  found: KubeObject,
  options: RemoveOptions,
): KubeObject | undefined {
  const finalizers = finalizersFor(resource, found, options);
  const withFinalizers = sameList(finalizers, found.metadata.finalizers ?? [])
    ? found
    : withMetadata(found, { finalizers: finalizers.length > 0 ? finalizers : undefined });
  if (resource.rules.isGraceful) return markGraceful(api, withFinalizers, found, options);
  if (finalizers.length === 0) return withFinalizers === found ? found : markNow(api, withFinalizers);
  const marked = markNow(api, withFinalizers);
  return found.metadata.deletionTimestamp && withFinalizers === found ? undefined : marked;
}

function markNow(api: Api, object: KubeObject): KubeObject {
  const { metadata } = object;
  const generation =
    metadata.deletionGracePeriodSeconds === undefined && metadata.generation
      ? metadata.generation + 1
      : metadata.generation;
  const deletionTimestamp = metadata.deletionTimestamp ?? timestamp(api.clock.now());
  return withMetadata(object, { generation, deletionTimestamp, deletionGracePeriodSeconds: 0 });
}

function markGraceful(
  api: Api,
  object: KubeObject,
  found: KubeObject,
  options: RemoveOptions,
): KubeObject | undefined {
  const { generation } = object.metadata;
  if (found.metadata.deletionTimestamp) return shortened(object, options.gracePeriodSeconds);
  const seconds = graceSeconds(object, options.gracePeriodSeconds);
  return withMetadata(object, {
    generation: generation && generation + 1,
    deletionTimestamp: timestamp(api.clock.now() + seconds * 1000),
    deletionGracePeriodSeconds: seconds,
  });
}

/** A grace period that has begun can only be shortened, counted from its beginning. */
function shortened(object: KubeObject, wanted: number | undefined): KubeObject | undefined {
  const current = object.metadata.deletionGracePeriodSeconds ?? 0;
  if (wanted === undefined) return undefined;
  const seconds = wanted < 0 ? 1 : wanted;
  if (seconds >= current) return undefined;
  const begin = Date.parse(object.metadata.deletionTimestamp ?? '') - current * 1000;
  const deletionTimestamp = timestamp(begin + seconds * 1000);
  return withMetadata(object, { deletionTimestamp, deletionGracePeriodSeconds: seconds });
}

/** A Pod without a Node, or one that has ended, needs no grace period. */
function graceSeconds(pod: KubeObject, wanted: number | undefined): number {
  const phase = textAt(pod, 'status', 'phase');
  if (textAt(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const seconds = wanted ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 0;
  return seconds < 0 ? 1 : seconds;
}

function finalizersFor(resource: Resource, found: KubeObject, options: RemoveOptions): string[] {
  const current = found.metadata.finalizers ?? [];
  const kept = current.filter((one) => one !== 'orphan' && one !== 'foregroundDeletion');
  const policy = options.propagationPolicy ?? legacyPolicy(options) ?? policyOf(current, resource);
  if (policy === 'Orphan') kept.push('orphan');
  if (policy === 'Foreground') kept.push('foregroundDeletion');
  return kept;
}

function legacyPolicy({ orphanDependents }: RemoveOptions): string | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}

function policyOf(finalizers: readonly string[], resource: Resource): string {
  if (finalizers.includes('orphan')) return 'Orphan';
  if (finalizers.includes('foregroundDeletion')) return 'Foreground';
  return resource.rules.orphansByDefault ? 'Orphan' : 'Background';
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}
