import * as z from 'zod';
import { isRecord, type KubeObject } from '../kubernetes/objects.ts';
import { type HookPlace, hookPlaces } from '../machine/hook-call.ts';
import { duration, unreadableText } from '../machine/own-kind.ts';
import {
  goesByCluster as isByCluster,
  isSelected,
  type Selectable,
  selectionFields,
  selectorErrors,
} from '../machine/selection.ts';
import { compareBytes } from '../text/byte-order.ts';
import { aggregate } from '../text/truncate.ts';

const choice = z.enum(['Hold', 'Proceed']);

/** The API server has checked all of this; an object from before a change of the kind may differ. */
const specSchema = z.looseObject({
  setBy: z.enum(['Phaseout', 'Others']).default('Phaseout'),
  /** Of others: the name of their hook. */
  hook: z.string().optional(),
  at: z.enum(hookPlaces),
  ...selectionFields,
  order: z.int().default(0),
  every: duration.default(30),
  silentAfter: duration.default(300),
  timeout: duration.optional(),
  onTimeout: choice.optional(),
  whenGone: choice.default('Hold'),
  onClusterDeletion: choice.default('Proceed'),
  send: z.object({ labels: z.array(z.string()).default([]) }).optional(),
  contact: z.string().optional(),
  runbook: z.string().optional(),
});

/** A DeletionHook as it is on the API server. */
export interface DeletionHook {
  name: string;
  uid: string;
  spec: z.infer<typeof specSchema>;
}

/** The DeletionHooks of one place that are for a Machine. */
export interface Selected {
  hooks: readonly DeletionHook[];
  /** Those that may be for it: a selector, or the whole hook, cannot be read. A sentence each. */
  unclear: readonly string[];
}

/** A DeletionHook as it is on the API server; undefined where it cannot be read. */
export function readDeletionHook({
  metadata: { name, uid = '' },
  spec,
}: KubeObject): DeletionHook | undefined {
  const read = specSchema.safeParse(spec);
  return read.success ? { name, uid, spec: read.data } : undefined;
}

/** Which of a namespace's DeletionHooks are for the Machine at a place, sorted by order and name. */
export function selectHooks(objects: readonly KubeObject[], place: HookPlace, machine: Selectable): Selected {
  const hooks: DeletionHook[] = [];
  const unclear: string[] = [];
  for (const object of objects.toSorted((a, b) => compareBytes(a.metadata.name, b.metadata.name))) {
    const { name, uid = '' } = object.metadata;
    const spec = specSchema.safeParse(object['spec']);
    if (!spec.success) {
      unclear.push(unreadableText('DeletionHook', name, 'spec', spec.error));
      continue;
    }
    if (spec.data.setBy === 'Others' || spec.data.at !== place) continue;
    const selects = isSelected(spec.data, machine);
    if (selects === true) hooks.push({ name, uid, spec: spec.data });
    else if (selects !== false) unclear.push(invalid(name, selects.errors));
  }
  return { hooks: hooks.toSorted((a, b) => a.spec.order - b.spec.order), unclear };
}

const invalid = (name: string, errors: string[]): string =>
  `invalid selectors in DeletionHook ${name}: ${aggregate(errors)}`;

/** Why some Machine may not be told from those that it selects; undefined where all can be. */
export function unclearIn({ metadata: { name }, spec: given }: KubeObject): string | undefined {
  const spec = specSchema.safeParse(given);
  if (!spec.success) return unreadableText('DeletionHook', name, 'spec', spec.error);
  const errors = selectorErrors(spec.data);
  return errors.length === 0 ? undefined : invalid(name, errors);
}

/** Of a namespace's DeletionHooks those that ask at a place, and those that cannot be read. */
export const askingAt = (objects: readonly KubeObject[], place: HookPlace): KubeObject[] =>
  objects.filter((object) => {
    const spec = specSchema.safeParse(object['spec']);
    return !spec.success || (spec.data.setBy !== 'Others' && spec.data.at === place);
  });

/** Whether labels of Clusters decide which Machines one of them selects. */
export const goesByCluster = (objects: readonly KubeObject[]): boolean =>
  objects.some((object) => {
    const { data } = specSchema.safeParse(object['spec']);
    return data !== undefined && isByCluster(data);
  });

/** The same DeletionHooks, as if each Cluster had the labels that they ask for. */
export const withoutClusters = (objects: readonly KubeObject[]): KubeObject[] =>
  objects.map((object) => {
    const spec = specSchema.safeParse(object['spec']);
    const machines = spec.data?.machines?.map(({ selector: own }) =>
      own === undefined ? {} : { selector: own },
    );
    return machines === undefined ? object : { ...object, spec: { ...recordOf(object['spec']), machines } };
  });

const recordOf = (value: unknown): object => (isRecord(value) ? value : {});
