import * as z from 'zod';
import { durationMilliseconds } from './duration.ts';
import { environmentSchema } from './environment-schema.ts';
import { permissionsSchema } from './permissions-schema.ts';

/** A name that Kubernetes takes for every kind here: a DNS label of RFC 1035, up to 63 characters. */
export const objectName = z
  .string()
  .regex(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and dashes, letter first');

/** Stands where no image is named. No registry has it. */
export const placeholderImage = 'phaseout';

const duration = z
  .string()
  .refine((text) => durationMilliseconds(text) !== undefined, 'must be an ISO 8601 duration such as PT0.5S');

export const deliverySchema = z.strictObject({
  /** Retries after the first attempt. */
  retry: z.int().min(0).exactOptional(),
  backoffPolicy: z.enum(['exponential', 'linear']).exactOptional(),
  backoffDelay: duration.exactOptional(),
  /** Of one attempt. */
  timeout: duration.exactOptional(),
  /** Absolute URI. */
  deadLetterSink: z.url().exactOptional(),
  format: z.enum(['json', 'binary']).exactOptional(),
});

/** Seconds as Knative's autoscaler takes them, in Go's writing. */
const wholeSeconds = (least: number, most: number) =>
  z.string().refine((text) => {
    const seconds = /^(\d+)s$/.exec(text)?.[1];
    return seconds !== undefined && Number(seconds) >= least && Number(seconds) <= most;
  }, `must be whole seconds from ${least}s to ${most}s, such as 60s`);

const quantity = z
  .string()
  .regex(/^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/, 'must be a quantity such as 100m or 128Mi');

const amounts = z.strictObject({ cpu: quantity.exactOptional(), memory: quantity.exactOptional() });

const resourcesSchema = z.strictObject({ requests: amounts.default({}), limits: amounts.default({}) });

/** Bounds are those of Knative's webhook. */
const optionalScaling = {
  /** Requests at the same time that the autoscaler aims at per instance. */
  target: z.int().min(1).exactOptional(),
  /** Its window: how long there must be no request before it scales to zero. */
  window: wholeSeconds(6, 3600).exactOptional(),
  /** How long the last instance stays after that. */
  podRetention: wholeSeconds(0, 3600).exactOptional(),
  scaleDownDelay: wholeSeconds(0, 3600).exactOptional(),
};

const scaling = {
  minScale: z.int().min(0),
  maxScale: z.int().min(0),
  // Knative's own upper bounds unless its operator raised them.
  containerConcurrency: z.int().min(0).max(1000),
  timeoutSeconds: z.int().min(1).max(600),
};

const isInOrder = ({ minScale = 0, maxScale = 0 }: { minScale?: number; maxScale?: number }): boolean =>
  maxScale === 0 || minScale <= maxScale;

const outOfOrder = { message: 'must not be more than maxScale', path: ['minScale'] };

/** The class cannot change later: Knative refuses it. */
const brokerSchema = z.strictObject({
  name: objectName,
  class: z.string().min(1).exactOptional(),
  /** What the class wants to be told; its own default if absent. */
  config: z
    .strictObject({
      apiVersion: z.string().min(1),
      kind: z.string().min(1),
      name: z.string().min(1),
      namespace: objectName.exactOptional(),
    })
    .exactOptional(),
  annotations: z.record(z.string(), z.string()).default({}),
});

/** Who may reach the functions, and what they may reach. */
const networkSchema = z.strictObject({
  /** Namespaces that requests come from: Knative's own, and that of its gateway. */
  callers: z.array(objectName).min(1),
  /** Namespaces of what collects metrics. */
  scrapers: z.array(objectName).default([]),
  /** Ports of API servers, stores and providers, as they listen there. */
  ports: z.array(z.int().min(1).max(65_535)).min(1),
});

/** What one Service does differently from the others. */
const serviceSchema = z.strictObject({
  scaling: z
    .strictObject({
      minScale: scaling.minScale.exactOptional(),
      maxScale: scaling.maxScale.exactOptional(),
      containerConcurrency: scaling.containerConcurrency.exactOptional(),
      timeoutSeconds: scaling.timeoutSeconds.exactOptional(),
      ...optionalScaling,
    })
    .refine(isInOrder, outOfOrder)
    .default({}),
  environment: environmentSchema.default({}),
  resources: resourcesSchema.exactOptional(),
});

/** Schema of `provider` in serverless.yml. */
export const providerSchema = z.strictObject({
  name: z.literal('knative'),
  namespace: objectName,
  /** Of the functions' containers; a deployment names one that a registry has. */
  image: z.string().min(1).default(placeholderImage),
  serviceAccountName: objectName,
  /** ServiceAccount of the sources. */
  sources: z
    .strictObject({ serviceAccountName: objectName })
    .default({ serviceAccountName: 'phaseout-sources' }),
  /** ServiceAccount of the Job that sets up the table. */
  table: z.strictObject({ serviceAccountName: objectName }).default({ serviceAccountName: 'phaseout-table' }),
  broker: brokerSchema,
  /** The Broker's, and so every Trigger's that has none. */
  delivery: deliverySchema.exactOptional(),
  scaling: z.strictObject({ ...scaling, ...optionalScaling }).refine(isInOrder, outOfOrder),
  resources: resourcesSchema.default({ requests: {}, limits: {} }),
  environment: environmentSchema.default({}),
  /** Without it the network is left as it is. */
  network: networkSchema.exactOptional(),
  services: z.record(objectName, serviceSchema).default({}),
  /** What the functions and the sources may do, and why. */
  permissions: permissionsSchema.default([]),
});
