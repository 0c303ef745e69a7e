import * as z from 'zod';
import { blockedField } from '../blocked/entry.ts';
import { isRecord, type KubeObject } from '../kubernetes/objects.ts';
import { duration, unreadableText } from '../machine/own-kind.ts';
import { isSelected, type Selectable, selectionFields, selectorErrors } from '../machine/selection.ts';
import { compareBytes } from '../text/byte-order.ts';
import { aggregate } from '../text/truncate.ts';
import { scheduleProblem, type Window } from './windows.ts';

const isLimit = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value) && value > 0
    : typeof value === 'string' && /^(?:[1-9]\d?|100)%$/.test(value);

const windowSchema = z
  .object({ schedule: z.string(), timeZone: z.string().default('UTC'), duration })
  .superRefine((window, context) => {
    const problem = scheduleProblem(window);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, path: ['schedule'] });
  })
  .transform(({ duration: durationSeconds, ...window }): Window => ({ ...window, durationSeconds }));

/** The API server has checked most of this; an object from before a change of the kind may differ. */
const specSchema = z.looseObject({
  ...selectionFields,
  maxUnavailable: z.custom<number | string>(isLimit, { error: 'is no limit' }).optional(),
  windows: z.array(windowSchema).default([]),
  windowsFor: z.enum(['Healthy', 'All']).default('Healthy'),
  blocked: blockedField,
});

const begunSchema = z.array(z.looseObject({ uid: z.string().min(1), name: z.string(), since: z.string() }));

/** A Machine that counts for a DrainPolicy, and since when. */
export type Begun = z.infer<typeof begunSchema>[number];

/** A DrainPolicy as it is on the API server. */
export interface DrainPolicy {
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  spec: z.infer<typeof specSchema>;
  /** Who has taken a place, as its status says. */
  begun: readonly Begun[];
}

/** A DrainPolicy that can be read, or what is wrong with it. */
export type PolicyReading =
  | { kind: 'read'; policy: DrainPolicy }
  /** `spec`: undefined where not even that can be read. */
  | { kind: 'unclear'; why: string; spec: DrainPolicy['spec'] | undefined };

/** Reads a DrainPolicy. Who has begun is part of it: without that nothing may begin. */
export function readDrainPolicy({ metadata, spec: given, status }: KubeObject): PolicyReading {
  const { name, namespace = '', uid = '', resourceVersion = '' } = metadata;
  const spec = specSchema.safeParse(given);
  if (!spec.success) return { kind: 'unclear', why: unreadable(name, 'spec', spec.error), spec: undefined };
  const errors = selectorErrors(spec.data);
  if (errors.length > 0)
    return {
      kind: 'unclear',
      why: `invalid selectors in DrainPolicy ${name}: ${aggregate(errors)}`,
      spec: spec.data,
    };
  const begun = begunSchema.safeParse(isRecord(status) ? (status['begun'] ?? []) : []);
  if (!begun.success)
    return { kind: 'unclear', why: unreadable(name, 'status.begun', begun.error), spec: spec.data };
  return {
    kind: 'read',
    policy: { name, namespace, uid, resourceVersion, spec: spec.data, begun: begun.data },
  };
}

const unreadable = (name: string, field: string, error: z.ZodError): string =>
  unreadableText('DrainPolicy', name, field, error);

/** The DrainPolicies of a namespace. */
export interface Policies {
  /** By name. */
  policies: readonly DrainPolicy[];
  /** Those that cannot be read hold the Machines that they may be for. */
  unclear: readonly (PolicyReading & { kind: 'unclear' })[];
}

/** Reads the DrainPolicies of a namespace. */
export function readPolicies(objects: readonly KubeObject[]): Policies {
  const readings = objects
    .toSorted((a, b) => compareBytes(a.metadata.name, b.metadata.name))
    .map(readDrainPolicy);
  return {
    policies: readings.flatMap((each) => (each.kind === 'read' ? [each.policy] : [])),
    unclear: readings.filter((each) => each.kind === 'unclear'),
  };
}

/** Whether a DrainPolicy is for the Machine. */
export const isFor = ({ spec }: Pick<DrainPolicy, 'spec'>, machine: Selectable): boolean =>
  isSelected(spec, machine) === true;

/** Why it cannot be told which DrainPolicies are for the Machine; empty where it can. */
export const unclearFor = ({ unclear }: Policies, machine: Selectable): string[] =>
  unclear
    .filter(({ spec }) => spec === undefined || isSelected(spec, machine) !== false)
    .map(({ why }) => why);

/** Whether one of them may hold the Machine. */
export const mayHold = (policies: Policies, machine: Selectable): boolean =>
  unclearFor(policies, machine).length > 0 || policies.policies.some((each) => isFor(each, machine));
