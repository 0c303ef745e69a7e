import * as z from 'zod';
import type { KubeObject, ObjectMeta } from '../../infra/local/kubernetes/objects/cluster.ts';

const condition = z.looseObject({
  type: z.string(),
  message: z.string().optional(),
  lastTransitionTime: z.string(),
  observedGeneration: z.int().optional(),
});
export const conditions = z.array(condition);

const common = {
  deletion: z.record(z.string(), z.string()).default({}),
  phase: z.string(),
  observedGeneration: z.int(),
};
const v1Beta2 = z.object({
  ...common,
  conditions,
  deprecated: z.object({ v1beta1: z.object({ conditions }) }),
  nodeRef: z.strictObject({ name: z.string() }).optional(),
});
const v1Beta1 = z.object({
  ...common,
  conditions,
  v1beta2: z.object({ conditions }),
  nodeRef: z.looseObject({ name: z.string() }).optional(),
});

/** What a Machine says, whichever version it is read in, without what differs from one play to the next. */
export function stateOf(machine: KubeObject): unknown {
  const { metadata } = machine;
  const isOld = machine.apiVersion?.endsWith('/v1beta1') === true;
  const status = isOld ? v1Beta1.parse(machine['status']) : v1Beta2.parse(machine['status']);
  const newer = 'v1beta2' in status ? status.v1beta2.conditions : status.conditions;
  const older = 'deprecated' in status ? status.deprecated.v1beta1.conditions : status.conditions;
  return {
    v1beta2: said(newer, metadata),
    v1beta1: said(older, metadata),
    deletion: Object.keys(status.deletion).toSorted(),
    phase: status.phase,
    isObserved: status.observedGeneration === metadata.generation,
  };
}

/** Of the newer conditions also whether the deletion changed their status: the older ones change with every word. */
const said = (list: z.infer<typeof conditions>, { generation, deletionTimestamp = '9' }: ObjectMeta) =>
  list.map(({ message, lastTransitionTime, observedGeneration, ...fields }) => ({
    ...fields,
    ...(message === undefined ? {} : { message: message.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '<time>') }),
    ...(observedGeneration === undefined
      ? {}
      : {
          isObserved: observedGeneration === generation,
          hasMovedSinceDeletion: lastTransitionTime >= deletionTimestamp,
        }),
  }));

const event = z.looseObject({
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  reportingComponent: z.string(),
  source: z.object({ component: z.string() }),
});

/** Each Event once, however often it was counted. */
export const eventsOf = (events: readonly KubeObject[]): string[] =>
  [
    ...new Set(
      events
        .map((object) => event.parse(object))
        .map(
          ({ type, reason, message, reportingComponent, source }) =>
            `${type} ${reason} by ${source.component} (${reportingComponent}): ${message}`,
        ),
    ),
  ].toSorted();
