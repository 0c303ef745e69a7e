import * as z from 'zod';
import { groupVersionOf, type KubeObject } from '../../../shared/kubernetes/objects.ts';
import { printable } from '../../terminal/words.ts';

export type Readiness =
  | { kind: 'ready' }
  | { kind: 'waiting'; why: string }
  /** Waiting does not help. */
  | { kind: 'failed'; why: string };

const conditionSchema = z.looseObject({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
});

type Condition = z.infer<typeof conditionSchema>;

export const statusSchema = z.looseObject({
  observedGeneration: z.number().optional(),
  conditions: z.array(conditionSchema).default([]),
  availableReplicas: z.number().default(0),
});

type Status = z.infer<typeof statusSchema>;

const ready: Readiness = { kind: 'ready' };
const unseen: Readiness = { kind: 'waiting', why: 'its controller has not looked at it yet' };

/** Kinds that report with the condition Ready that they work. */
const knative = new Set([
  'serving.knative.dev/Service',
  'eventing.knative.dev/Broker',
  'eventing.knative.dev/Trigger',
  'sources.knative.dev/ApiServerSource',
  'sources.knative.dev/PingSource',
  'sources.knative.dev/SinkBinding',
]);

const judges: ReadonlyMap<string, (status: Status, object: KubeObject) => Readiness> = new Map([
  ...[...knative].map((kind) => [kind, (status: Status) => byCondition(status, 'Ready')] as const),
  ['apiextensions.k8s.io/CustomResourceDefinition', (status) => byCondition(status, 'Established')],
  ['batch/Job', ofJob],
  ['apps/Deployment', ofDeployment],
]);

/** Whether objects of the kind report that they are ready. */
export const getsReady = (object: KubeObject): boolean => judges.has(kindOf(object));

/** Whether an object does its work, if its kind can say so. */
export function readinessOf(object: KubeObject): Readiness {
  const judge = judges.get(kindOf(object));
  if (judge === undefined) return ready;
  const parsed = statusSchema.safeParse(object['status'] ?? {});
  if (!parsed.success) return { kind: 'waiting', why: 'its status cannot be read' };
  const { observedGeneration } = parsed.data;
  const isOld = observedGeneration !== undefined && observedGeneration < (object.metadata.generation ?? 0);
  return isOld ? unseen : judge(parsed.data, object);
}

const kindOf = (object: KubeObject): string => `${groupVersionOf(object).group}/${object.kind}`;

function byCondition({ conditions }: Status, type: string): Readiness {
  const own = conditions.find((condition) => condition.type === type);
  if (own === undefined) return unseen;
  if (own.status === 'True') return ready;
  // While its parts are in progress, the Ready condition often has no reason.
  const parts = conditions.filter(({ status }) => status !== 'True').map(saying);
  const why = own.message ? saying(own) : (parts.find((part) => part.includes(':')) ?? saying(own));
  return { kind: 'waiting', why };
}

function ofJob({ conditions }: Status): Readiness {
  const failed = conditions.find(({ type, status }) => type === 'Failed' && status === 'True');
  if (failed !== undefined) return { kind: 'failed', why: saying(failed) };
  const isComplete = conditions.some(({ type, status }) => type === 'Complete' && status === 'True');
  return isComplete ? ready : { kind: 'waiting', why: 'it has not completed yet' };
}

function ofDeployment({ availableReplicas, conditions }: Status, object: KubeObject): Readiness {
  const wanted = z.looseObject({ replicas: z.number().default(1) }).safeParse(object['spec']);
  const replicas = wanted.data?.replicas ?? 1;
  if (availableReplicas >= replicas) return ready;
  const trouble =
    conditions.find(({ status, type }) => status === 'True' && type === 'ReplicaFailure') ??
    conditions.find(({ status, type }) => status === 'False' && type !== 'Available');
  const count = `${availableReplicas} of ${replicas} replicas are available`;
  return { kind: 'waiting', why: trouble === undefined ? count : `${count}; ${saying(trouble)}` };
}

/** `BrokerNotReady: the channel is not there`, in one line. */
function saying({ type, status, reason, message }: Condition): string {
  const said = [reason, message].filter(Boolean).join(': ');
  return printable(said === '' ? `${type} is ${status}` : said);
}
