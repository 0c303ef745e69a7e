import * as z from 'zod';
import { SelectorSyntaxError, selectorOf } from '../../shared/kubernetes/selector-text.ts';
import { CronSyntaxError, parseCron } from './cron.ts';
import { attributesSchema, filterSchema } from './filter-schema.ts';
import { deliverySchema, objectName, providerSchema } from './provider-schema.ts';

const schedule = z.string().superRefine((text, context) => {
  try {
    parseCron(text);
  } catch (error) {
    if (!(error instanceof CronSyntaxError)) throw error;
    context.addIssue({ code: 'custom', message: `not a schedule: ${error.message}` });
  }
});

const labelSelector = z.string().superRefine((text, context) => {
  try {
    selectorOf(text);
  } catch (error) {
    if (!(error instanceof SelectorSyntaxError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
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
  labelSelector: labelSelector.exactOptional(),
  namespaces: z.array(objectName).min(1).exactOptional(),
});

const pingSchema = z.strictObject({
  ...common,
  schedule,
  /** The schedule while nothing is being deleted; the functions change from one to the other. */
  atRest: schedule.exactOptional(),
  data: z.record(z.string(), z.unknown()).exactOptional(),
  ceOverrides: z.strictObject({ extensions: attributesSchema }).exactOptional(),
});

const triggerSchema = z.strictObject({
  ...common,
  filter: z.strictObject({ attributes: attributesSchema }).exactOptional(),
  filters: z.array(filterSchema).exactOptional(),
});

/** What the Broker gave up on. All Triggers share one sink, so there is nothing to choose. */
const deadLetterSchema = z.strictObject({ name: objectName.exactOptional() });

/** By the names of their fields. */
export const eventSchemas = {
  apiServer: apiServerSchema,
  ping: pingSchema,
  trigger: triggerSchema,
  deadLetter: deadLetterSchema,
};

const eventSchema = z
  .strictObject({
    apiServer: apiServerSchema.exactOptional(),
    ping: pingSchema.exactOptional(),
    trigger: triggerSchema.exactOptional(),
    deadLetter: deadLetterSchema.exactOptional(),
  })
  .refine(
    (event) => Object.keys(event).length === 1,
    'an event is exactly one of apiServer, ping, trigger, deadLetter',
  );

/** What a function has beside its events. */
export const functionFields = {
  handler: z.string().regex(/^functions\/[a-z][a-z-]*\.ts$/, 'must be a file functions/<name>.ts'),
  service: objectName,
};

const functionSchema = z
  .strictObject({
    ...functionFields,
    events: z.array(eventSchema).min(1),
  })
  .refine(({ events }) => events.length === 1 || new Set(events.map(nameOf)).size === events.length, {
    message: 'each of several events needs a name of its own',
    path: ['events'],
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
  })
  .superRefine(({ functions }, context) => {
    const pings = Object.entries(functions).flatMap(([name, { events }]) =>
      events.flatMap(({ ping }, index) => (ping?.atRest === undefined ? [] : [{ name, index }])),
    );
    for (const { name, index } of pings.slice(1)) {
      const path = ['functions', name, 'events', index, 'ping', 'atRest'];
      context.addIssue({
        code: 'custom',
        message: 'only one tick may rest, and another one already does',
        path,
      });
    }
  })
  .superRefine(({ functions }, context) => {
    const [first, ...others] = Object.keys(functions).filter((name) =>
      functions[name]?.events.some(({ deadLetter }) => deadLetter !== undefined),
    );
    for (const name of others) {
      const message = `the Broker has one sink for dead letters, and ${first} takes them`;
      context.addIssue({ code: 'custom', message, path: ['functions', name, 'events'] });
    }
  });

export type Written = z.infer<typeof serverlessSchema>;
export type WrittenEvent = z.infer<typeof eventSchema>;

/** The name an event was given, whatever its kind. */
export const nameOf = ({ apiServer, ping, trigger, deadLetter }: WrittenEvent): string | undefined =>
  (apiServer ?? ping ?? trigger ?? deadLetter)?.name;
