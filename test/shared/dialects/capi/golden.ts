import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';

const metadata = z.looseObject({
  name: z.string(),
  namespace: z.string().exactOptional(),
  uid: z.string().exactOptional(),
});
const kubeObject = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata });

const condition = z.looseObject({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  message: z.string().exactOptional(),
  lastTransitionTime: z.string(),
});
const conditions = z.array(condition);

const status = z.looseObject({
  conditions,
  deprecated: z.object({ v1beta1: z.object({ conditions }) }),
  deletion: z.record(z.string(), z.string()).exactOptional(),
  initialization: z.object({
    bootstrapDataSecretCreated: z.boolean(),
    infrastructureProvisioned: z.boolean(),
  }),
  nodeRef: z.object({ name: z.string() }),
});

const reference = z.object({ apiGroup: z.string(), kind: z.string(), name: z.string() });
const machine = kubeObject.extend({
  spec: z.looseObject({
    bootstrap: z.looseObject({ configRef: reference }),
    infrastructureRef: reference,
    deletion: z.object({
      nodeDeletionTimeoutSeconds: z.int(),
      nodeDrainTimeoutSeconds: z.int().exactOptional(),
    }),
  }),
  status,
});
const node = kubeObject.extend({
  spec: z.looseObject({ providerID: z.string() }),
  status: z.looseObject({ conditions }),
});

export type RecordedMachine = z.infer<typeof machine>;
export type RecordedStatus = z.infer<typeof status>;
type RecordedCondition = z.infer<typeof condition>;

export interface Recording {
  machine: RecordedMachine;
  node: z.infer<typeof node> | undefined;
  /** An object recorded beside the Machine. */
  object(kind: string): z.infer<typeof kubeObject>;
}

/** One recording of a Machine as Cluster API left it, with the objects recorded beside it. */
export function recording(name: string): Recording {
  const text = readFileSync(new URL(`../../../golden/capi/${name}.yaml`, import.meta.url), 'utf8');
  const objects = parseAllDocuments(text).map((document): unknown => document.toJSON());
  const first = <T extends z.ZodType>(schema: T, kind: string) =>
    objects
      .filter((object) => z.object({ kind: z.literal(kind) }).safeParse(object).success)
      .map((object) => schema.parse(object))[0];
  return {
    machine: machine.parse(first(machine, 'Machine')),
    node: first(node, 'Node'),
    object: (kind) => kubeObject.parse(first(kubeObject, kind)),
  };
}

/** The same Machine as a client of v1beta1 sees it. */
export function asV1Beta1(recorded: RecordedMachine) {
  const { bootstrap, infrastructureRef, deletion, ...spec } = recorded.spec;
  return {
    ...recorded,
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    spec: {
      ...spec,
      bootstrap: { ...bootstrap, configRef: objectReference(bootstrap.configRef, recorded) },
      infrastructureRef: objectReference(infrastructureRef, recorded),
      ...(deletion.nodeDrainTimeoutSeconds
        ? { nodeDrainTimeout: `${deletion.nodeDrainTimeoutSeconds}s` }
        : {}),
      nodeDeletionTimeout: `${deletion.nodeDeletionTimeoutSeconds}s`,
    },
    status: statusAsV1Beta1(recorded.status),
  };
}

const objectReference = ({ apiGroup, kind, name }: z.infer<typeof reference>, recorded: RecordedMachine) => ({
  apiVersion: `${apiGroup}/v1beta1`,
  kind,
  name,
  namespace: recorded.metadata.namespace,
});

export function statusAsV1Beta1({
  conditions: v1Beta2,
  deprecated,
  initialization,
  nodeRef,
  ...rest
}: RecordedStatus) {
  return {
    ...rest,
    conditions: deprecated.v1beta1.conditions,
    v1beta2: { conditions: v1Beta2 },
    bootstrapReady: initialization.bootstrapDataSecretCreated,
    infrastructureReady: initialization.infrastructureProvisioned,
    nodeRef: { apiVersion: 'v1', kind: 'Node', name: nodeRef.name },
  };
}

const whileRunning = new Map<string, Pick<RecordedCondition, 'status'> & { reason: string; message: string }>(
  [
    ['Available', { status: 'True', reason: 'Available', message: '' }],
    ['Ready', { status: 'True', reason: 'Ready', message: '' }],
    ['BootstrapConfigReady', { status: 'True', reason: 'Ready', message: '' }],
    ['InfrastructureReady', { status: 'True', reason: 'Ready', message: '' }],
    ['Deleting', { status: 'False', reason: 'NotDeleting', message: '' }],
    ['Paused', { status: 'False', reason: 'NotPaused', message: '' }],
  ],
);

const knownWhileRunning = ['Ready', 'BootstrapReady', 'InfrastructureReady', 'NodeHealthy'];

/**
 * The status before the deletion: what the deletion wrote is taken away. Conditions whose status it changed had
 * held since `before`.
 */
export function runningStatus(recorded: RecordedStatus, before: string): RecordedStatus {
  const { deletion: _deletion, lastUpdated: _lastUpdated, ...rest } = recorded;
  const v1Beta2 = recorded.conditions.map((each) => {
    const wasSaid = whileRunning.get(each.type) ?? { status: each.status };
    const lastTransitionTime = wasSaid.status === each.status ? each.lastTransitionTime : before;
    return { ...each, ...wasSaid, lastTransitionTime, observedGeneration: 1 };
  });
  const v1Beta1 = recorded.deprecated.v1beta1.conditions
    .filter(({ type }) => knownWhileRunning.includes(type))
    .map((each) => {
      if (each.status === 'True') return each;
      return { type: each.type, status: 'True' as const, lastTransitionTime: before };
    });
  return {
    ...rest,
    conditions: v1Beta2,
    deprecated: { v1beta1: { conditions: v1Beta1 } },
    observedGeneration: 1,
    phase: 'Running',
  };
}
