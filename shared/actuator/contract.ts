import * as z from 'zod';

import { machineErrorReasons } from './port.ts';

/**
 * The HTTP contract between phaseout and a provider, as data: `POST <base>/v1/<operation>`. What each operation means
 * is described in `infra/actuator/openapi.yaml`, which a test holds to these schemas.
 */
export const operations = ['exists', 'create', 'update', 'delete'] as const;
/** What a provider is asked to do with a server. */
export type Operation = (typeof operations)[number];

/** Path of the provider's HTTP endpoint for an operation. */
export const pathOf = (operation: Operation): string => `/v1/${operation}`;

/** Bounds of the HTTP contract with a provider, in the units that the names say. */
export const limits = {
  /** A day: a provider that wants to be left alone for longer has failed. */
  retryAfterSeconds: 86_400,
  /** Bytes of UTF-8 that are kept of an error's message; it is written on the Machine. */
  messageBytes: 4_096,
  /** Bytes of an answer. More is no answer. */
  answerBytes: 1_048_576,
  /** Bytes of a request that a provider must take: a Machine and a Cluster, each as large as etcd allows. */
  requestBytes: 4_194_304,
} as const;

const retryAfterSeconds = z.number().min(0).max(limits.retryAfterSeconds);

const machineSchema = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.literal('Machine'),
  metadata: z.looseObject({
    name: z.string().min(1),
    namespace: z.string().min(1),
    uid: z.string().min(1),
  }),
});

const clusterSchema = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.literal('Cluster'),
  metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().min(1) }),
});

/** Body of every request to a provider: the Machine, and its Cluster where it has one. */
export const requestSchema = z.looseObject({
  machine: machineSchema,
  cluster: clusterSchema.nullish(),
});

/** What languages without `undefined` write for "nothing" is nothing: null everywhere. */
export const existsAnswerSchema = z.looseObject({
  exists: z.boolean(),
  retryAfterSeconds: retryAfterSeconds.nullish(),
});

const addressSchema = z.looseObject({ type: z.string().min(1), address: z.string().min(1) });

export const reportAnswerSchema = z.looseObject({
  providerID: z.string().nullish(),
  addresses: z.array(addressSchema).nullish(),
  providerStatus: z.record(z.string(), z.unknown()).nullish(),
});

export const deleteAnswerSchema = z.looseObject({});

/** `reason` is any text: one we do not know is no reason, but the provider's refusal stands. */
export const errorAnswerSchema = z.looseObject({
  error: z.looseObject({
    reason: z.string().nullish(),
    message: z.string(),
    retryAfterSeconds: retryAfterSeconds.nullish(),
  }),
});

/** The statuses an answer is read by. By any other nothing is known. */
export const statuses = {
  done: [200],
  /** Deletion may be under way only. */
  accepted: [200, 202],
  failed: [422],
  retry: [503, 429],
} as const;

export const reasonSchema = z.enum(machineErrorReasons);
