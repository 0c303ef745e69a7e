import type { Condition } from '../machinery/objects.ts';
import type { Vertex } from './owner-graph.ts';

/** The conditions of a terminating namespace that is not yet empty, in the namespace controller's words. */
export function remainingConditions(remaining: readonly Vertex[]): Condition[] {
  const finalizers = remaining.flatMap(({ object }) => object.metadata.finalizers ?? []);
  return [
    ...settled,
    {
      type: 'NamespaceContentRemaining',
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${tally(
        remaining.map(({ resource }) => longName(resource)),
        (resource, count) => `${resource} has ${count} resource instances`,
      )}`,
    },
    finalizers.length === 0 ? finalizersGone : finalizersLeft(finalizers),
  ];
}

const settled: readonly Condition[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'False',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    status: 'False',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    status: 'False',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
];

const finalizersGone: Condition = {
  type: 'NamespaceFinalizersRemaining',
  status: 'False',
  reason: 'ContentHasNoFinalizers',
  message: 'All content-preserving finalizers finished',
};

function finalizersLeft(finalizers: readonly string[]): Condition {
  return {
    type: 'NamespaceFinalizersRemaining',
    status: 'True',
    reason: 'SomeFinalizersRemain',
    message: `Some content in the namespace has finalizers remaining: ${tally(
      finalizers,
      (finalizer, count) => `${finalizer} in ${count} resource instances`,
    )}`,
  };
}

// Resources of the core group end in a dot: the empty group is written out.
function longName(resource: string): string {
  return resource.includes('.') ? resource : `${resource}.`;
}

function tally(names: readonly string[], write: (name: string, count: number) => string): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => write(name, count))
    .join(', ');
}
