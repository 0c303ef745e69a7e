import * as z from 'zod';
import type { Labels } from '../kubernetes/label-selector.ts';
import { matchesAny, pairsIn } from '../kubernetes/selector-pairs.ts';

/** A selector of our own kinds. What is wrong with it is said where it is used. */
export const selector = z.custom<NonNullable<Parameters<typeof pairsIn>[1][number]['selector']>>();

/** The fields with which our own kinds select Machines. */
export const selectionFields = {
  machines: z
    .array(z.object({ selector: selector.exactOptional(), clusterSelector: selector.exactOptional() }))
    .optional(),
  controlPlanes: z.boolean().default(false),
  machinePools: z.boolean().default(false),
};

/** Which Machines of its namespace an object of ours is for. */
export interface Selection {
  machines?: z.infer<typeof selectionFields.machines>;
  controlPlanes: boolean;
  machinePools: boolean;
}

/** A Machine, as our own kinds select it. */
export interface Selectable {
  labels: Labels;
  /** Of its Cluster; empty where it has none. */
  clusterLabels: Labels;
  isControlPlane: boolean;
}

/** MachinePools label their Machines so. */
const poolLabel = 'cluster.x-k8s.io/pool-name';

/** Whether the Machine is selected; why that cannot be told, where a selector is invalid. */
export function isSelected(
  { machines = [], controlPlanes, machinePools }: Selection,
  { labels, clusterLabels, isControlPlane }: Selectable,
): boolean | { errors: string[] } {
  if (isControlPlane && !controlPlanes) return false;
  if (poolLabel in labels && !machinePools) return false;
  const pairs = pairsIn('machines', machines, 'clusterSelector');
  if (matchesAny(pairs, (pair) => pair.matches(labels, clusterLabels) === true)) return true;
  // An entry that cannot be told counts as one that matches.
  if (!matchesAny(pairs, (pair) => pair.matches(labels, clusterLabels) !== false)) return false;
  return { errors: pairs.flatMap((pair) => pair.errors) };
}

/** The same by the labels of the Machine alone, where those of its Cluster are not read. */
export function mayBeSelected(selection: Selection, machine: Omit<Selectable, 'clusterLabels'>): boolean {
  const machines = selection.machines?.map((entry) => ({ ...entry, clusterSelector: {} }));
  return isSelected({ ...selection, machines }, { ...machine, clusterLabels: {} }) !== false;
}

/** What is wrong with its selectors. */
export const selectorErrors = ({ machines = [] }: Selection): string[] =>
  pairsIn('machines', machines, 'clusterSelector').flatMap(({ errors }) => errors);

/** Whether labels of Clusters decide which Machines it is for. */
export const goesByCluster = ({ machines = [] }: Selection): boolean =>
  machines.some(({ clusterSelector }) => clusterSelector !== undefined);
