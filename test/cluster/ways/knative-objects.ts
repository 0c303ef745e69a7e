import * as z from 'zod';

/** The parts of Knative's objects, as they stand in the rendered manifests, that are played here. */

const service = z.looseObject({
  ref: z.looseObject({ kind: z.literal('Service'), name: z.string() }),
  uri: z.string(),
});
export type ServiceAddress = z.infer<typeof service>;

const delivery = z.strictObject({
  retry: z.number().exactOptional(),
  backoffPolicy: z.enum(['exponential', 'linear']).exactOptional(),
  backoffDelay: z.string().exactOptional(),
  timeout: z.string().exactOptional(),
  deadLetterSink: service.exactOptional(),
});
export type RenderedDelivery = z.infer<typeof delivery>;

const placed = z.looseObject({
  name: z.string(),
  namespace: z.string(),
  annotations: z.record(z.string(), z.string()).default({}),
});

const toBroker = z.looseObject({ ref: z.looseObject({ kind: z.literal('Broker'), name: z.string() }) });

export const brokerSchema = z.looseObject({
  metadata: placed,
  spec: z.strictObject({ delivery: delivery.exactOptional(), config: z.unknown().optional() }),
});

/** What is told apart by filters is left to the Broker to read. */
export const triggerSchema = z.looseObject({
  metadata: placed,
  spec: z.strictObject({
    broker: z.string(),
    filter: z.strictObject({ attributes: z.record(z.string(), z.string()) }).exactOptional(),
    filters: z.array(z.record(z.string(), z.unknown())).exactOptional(),
    subscriber: service,
    delivery: delivery.exactOptional(),
  }),
});

export const apiServerSourceSchema = z.looseObject({
  metadata: placed,
  spec: z.strictObject({
    serviceAccountName: z.string(),
    mode: z.literal('Resource'),
    resources: z.tuple([z.strictObject({ apiVersion: z.string(), kind: z.string() })]),
    namespaceSelector: z.strictObject({}).exactOptional(),
    sink: toBroker,
  }),
});

export const pingSourceSchema = z.looseObject({
  metadata: placed,
  spec: z.strictObject({
    schedule: z.string(),
    contentType: z.string().exactOptional(),
    data: z.string().exactOptional(),
    sink: toBroker,
  }),
});

const variable = z.strictObject({ name: z.string(), value: z.string() });

export const knativeServiceSchema = z.looseObject({
  metadata: placed,
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        serviceAccountName: z.string(),
        containers: z.tuple([
          z.looseObject({
            env: z.array(variable).default([]),
            envFrom: z
              .array(z.looseObject({ configMapRef: z.looseObject({ name: z.string() }).exactOptional() }))
              .default([]),
          }),
        ]),
      }),
    }),
  }),
});

export const configMapSchema = z.looseObject({ metadata: placed, data: z.record(z.string(), z.string()) });
