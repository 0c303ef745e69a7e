import * as z from 'zod';

/*
 * The parts of policies and bindings that are enforced here. All else that Kubernetes knows is refused, never
 * ignored: parameters, audit annotations, connections, subresources other than status.
 */
const names = z.array(z.string()).min(1);
const selector = z.looseObject({});
const resource = z.string().regex(/^[^/]+(?:\/status)?$/, 'of subresources only status is supported here');

const rule = z.strictObject({
  apiGroups: names,
  apiVersions: names,
  operations: z.array(z.enum(['*', 'CREATE', 'UPDATE', 'DELETE'])).min(1),
  resources: z.array(resource).min(1),
  resourceNames: z.array(z.string()).default([]),
  scope: z.enum(['*', 'Cluster', 'Namespaced']).default('*'),
});

const matchResources = z.strictObject({
  resourceRules: z.array(rule).default([]),
  excludeResourceRules: z.array(rule).default([]),
  matchPolicy: z.enum(['Equivalent', 'Exact']).default('Equivalent'),
  namespaceSelector: selector.default({}),
  objectSelector: selector.default({}),
});

const named = z.strictObject({ name: z.string().min(1), expression: z.string().min(1) });

const validation = z.strictObject({
  expression: z.string().min(1),
  message: z.string().default(''),
  messageExpression: z.string().optional(),
  reason: z.enum(['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge']).default('Invalid'),
});

export const policySchema = z.strictObject({
  failurePolicy: z.enum(['Fail', 'Ignore']).default('Fail'),
  matchConstraints: matchResources.extend({ resourceRules: z.array(rule).min(1) }),
  matchConditions: z.array(named).max(64).default([]),
  variables: z.array(named).default([]),
  validations: z.array(validation).min(1),
});

const denyAndWarn =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

/** There is no audit log here, so the action Audit has no effect. */
const actions = z
  .array(z.enum(['Audit', 'Deny', 'Warn']))
  .min(1)
  .refine((list) => new Set(list).size === list.length, 'must not name an action twice')
  .refine((list) => !(list.includes('Deny') && list.includes('Warn')), denyAndWarn);

export const bindingSchema = z.strictObject({
  policyName: z.string().min(1),
  matchResources: matchResources.optional(),
  validationActions: actions,
});

export type PolicySpec = z.infer<typeof policySchema>;
export type BindingSpec = z.infer<typeof bindingSchema>;
export type MatchResources = z.infer<typeof matchResources>;
export type Rule = z.infer<typeof rule>;
export type Reason = PolicySpec['validations'][number]['reason'];
