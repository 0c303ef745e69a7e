import * as z from 'zod';
import { CronSyntaxError, parseCron } from './cron.ts';
import { durationMilliseconds } from './duration.ts';
import { attributesSchema, filterSchema } from './filter-schema.ts';

const objectName = z
  .string()
  .regex(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and dashes, letter first');

const duration = z
  .string()
  .refine((text) => durationMilliseconds(text) !== undefined, 'must be an ISO 8601 duration such as PT0.5S');

const deliverySchema = z.strictObject({
  retry: z.int().min(0).exactOptional(),
  backoffPolicy: z.enum(['exponential', 'linear']).exactOptional(),
  backoffDelay: duration.exactOptional(),
  timeout: duration.exactOptional(),
  deadLetterSink: z.url().exactOptional(),
  format: z.enum(['json', 'binary']).exactOptional(),
});

const schedule = z.string().superRefine((text, context) => {
  try {
    parseCron(text);
  } catch (error) {
    if (!(error instanceof CronSyntaxError)) throw error;
    context.addIssue({ code: 'custom', message: `not a schedule: ${error.message}` });
  }
});

/** What every kind of event has: a name if the function takes several, and its own delivery if need be. */
const common = { name: objectName.exactOptional(), delivery: deliverySchema.exactOptional() };

const apiServerSchema = z.strictObject({
  ...common,
  apiVersion: z
    .string()
    .regex(/^([a-z0-9.-]+\/)?v\d+((alpha|beta)\d+)?$/, 'must be a version such as v1 or apps/v1'),
  kind: z.string().regex(/^[A-Z][A-Za-z0-9]*$/, 'must be a kind such as Machine'),
  plural: objectName,
  changes: z.array(z.enum(['add', 'update', 'delete'])).min(1),
  labelSelector: z.string().min(1).exactOptional(),
  namespaces: z.array(objectName).min(1).exactOptional(),
});

const pingSchema = z.strictObject({
  ...common,
  schedule,
  data: z.record(z.string(), z.unknown()).exactOptional(),
  ceOverrides: z.strictObject({ extensions: attributesSchema }).exactOptional(),
});

const triggerSchema = z.strictObject({
  ...common,
  filter: z.strictObject({ attributes: attributesSchema }).exactOptional(),
  filters: z.array(filterSchema).exactOptional(),
});

const eventSchema = z
  .strictObject({
    apiServer: apiServerSchema.exactOptional(),
    ping: pingSchema.exactOptional(),
    trigger: triggerSchema.exactOptional(),
  })
  .refine((event) => Object.keys(event).length === 1, 'an event is exactly one of apiServer, ping, trigger');

const functionSchema = z
  .strictObject({
    handler: z.string().regex(/^functions\/[a-z][a-z-]*\.ts$/, 'must be a file functions/<name>.ts'),
    service: objectName,
    events: z.array(eventSchema).min(1),
  })
  .refine(({ events }) => events.length === 1 || new Set(events.map(nameOf)).size === events.length, {
    message: 'each of several events needs a name of its own',
    path: ['events'],
  });

const scaling = {
  minScale: z.int().min(0),
  maxScale: z.int().min(0),
  containerConcurrency: z.int().min(0),
  // Knative's own upper bound unless its operator raised it.
  timeoutSeconds: z.int().min(1).max(600),
};

/** What one Service does differently from the others. */
const serviceSchema = z.strictObject({
  scaling: z
    .strictObject({
      minScale: scaling.minScale.exactOptional(),
      maxScale: scaling.maxScale.exactOptional(),
      containerConcurrency: scaling.containerConcurrency.exactOptional(),
      timeoutSeconds: scaling.timeoutSeconds.exactOptional(),
    })
    .default({}),
  environment: z.record(z.string(), z.string()).default({}),
});

const providerSchema = z.strictObject({
  name: z.literal('knative'),
  namespace: objectName,
  serviceAccountName: objectName,
  broker: z.strictObject({
    name: objectName,
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  /** The Broker's, and so every Trigger's that has none. */
  delivery: deliverySchema.exactOptional(),
  scaling: z.strictObject(scaling),
  environment: z.record(z.string(), z.string()).default({}),
  services: z.record(objectName, serviceSchema).default({}),
});

/** serverless.yml as written. Keys that only the Serverless Framework reads are let through as they are. */
export const serverlessSchema = z
  .strictObject({
    service: objectName,
    frameworkVersion: z.string().exactOptional(),
    configValidationMode: z.string().exactOptional(),
    plugins: z.array(z.string()).exactOptional(),
    custom: z.unknown().optional(),
    provider: providerSchema,
    functions: z.record(objectName, functionSchema),
  })
  .superRefine(({ provider, functions }, context) => {
    const lived = new Set(Object.values(functions).map(({ service }) => service));
    for (const name of Object.keys(provider.services).filter((service) => !lived.has(service))) {
      const path = ['provider', 'services', name];
      context.addIssue({ code: 'custom', message: 'no function lives in this service', path });
    }
  });

export type Written = z.infer<typeof serverlessSchema>;
export type WrittenEvent = z.infer<typeof eventSchema>;

/** The name an event was given, whatever its kind. */
export const nameOf = ({ apiServer, ping, trigger }: WrittenEvent): string | undefined =>
  (apiServer ?? ping ?? trigger)?.name;
