import * as z from 'zod';
import { machineApiNames, modes } from '../../shared/dialects/registry.ts';

/** Kubernetes' verbs on resources, without deletecollection: phaseout deletes one object at a time. */
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;

/**
 * Who needs it: the functions where the Machines are, the functions where their Nodes are, or the sources of changes.
 */
const sides = ['management', 'workload', 'sources'] as const;

/** Who needs a permission: see `sides`. */
export type Side = (typeof sides)[number];

/**
 * Where it is needed: in the whole cluster, in the namespaces that have the Machines, or for one object alone. The last
 * one is the namespace of that object.
 */
const scopes = ['cluster', 'machine-namespaces', 'named', 'namespace-of-named'] as const;

/** Variables of the configuration that ask for more: by `true`, or by a word of a list. */
const askingVariables = [
  'PHASEOUT_NODE_CONDITIONS',
  'PHASEOUT_OBSERVE_EVENTS',
  'PHASEOUT_ACTIONS=rollout-restart',
  'PHASEOUT_ACTIONS=delete',
] as const;

/** Variables of the configuration that name an object. */
const nameVariables = [
  'PHASEOUT_ACTUATOR_SECRET',
  'PHASEOUT_DUE_PING_SOURCE',
  'PHASEOUT_HOOK_KEY',
  'PHASEOUT_LEASE',
] as const;

const oneOf = <T extends string>(words: readonly [T, ...T[]], plural: string) =>
  z.enum(words, {
    error: ({ input }) => `${JSON.stringify(input)} is none of the ${plural} ${words.join(', ')}`,
  });

const apiGroup = z
  .string()
  .regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/, 'must be an API group, empty for the core one; not "*"');

const resource = z
  .string()
  .regex(/^(\*|[a-z]+(\/[a-z]+)?)$/, 'must be a plural, perhaps with a subresource, such as pods/eviction');

const permissionSchema = z.strictObject({
  side: oneOf(sides, 'sides'),
  /** The Machine APIs that need it; all if absent. */
  for: z.array(oneOf(machineApiNames, 'Machine APIs')).min(1).exactOptional(),
  /** The mode that needs it; beside and replace if absent. */
  mode: oneOf(modes, 'modes').exactOptional(),
  scope: oneOf(scopes, 'scopes'),
  /** The variable that asks for it, by `true` or by this word of its list; always needed if absent. */
  askedBy: oneOf(askingVariables, 'variables').exactOptional(),
  /** The variable that has the namespace/name of the one object. Where it is empty nothing is needed. */
  namedBy: oneOf(nameVariables, 'variables').exactOptional(),
  apiGroups: z.array(apiGroup).min(1),
  resources: z.array(resource).min(1),
  verbs: z.array(oneOf(verbs, 'verbs')).min(1),
  why: z.string().min(1, 'must say what it is needed for'),
});

/** One rule of what may be done. */
export type Permission = z.infer<typeof permissionSchema>;

interface Fault {
  path: (string | number)[];
  message: string;
}

/** Permission to list or watch Secrets gives all of them, and their names are known here. */
function secretProblems({ apiGroups, resources, verbs: wanted }: Permission): Fault[] {
  if (!apiGroups.includes('') || !resources.includes('secrets')) return [];
  return wanted.flatMap((verb, index) =>
    verb === 'get' ? [] : [{ path: ['verbs', index], message: 'Secrets are read by their names: only get' }],
  );
}

/** The kinds of a Cluster API provider are not known beforehand. All other kinds are. */
function groupProblems({ apiGroups, resources }: Permission): Fault[] {
  const index = resources.indexOf('*');
  if (index === -1 || apiGroups.every((group) => /^[a-z]+\.cluster\.x-k8s\.io$/.test(group))) return [];
  const message =
    'all resources are allowed only in the groups of providers, such as bootstrap.cluster.x-k8s.io';
  return [{ path: ['resources', index], message }];
}

function nameProblems({ scope, namedBy }: Permission): Fault[] {
  const isByName = scope === 'named' || scope === 'namespace-of-named';
  if (isByName === (namedBy !== undefined)) return [];
  return namedBy === undefined
    ? [{ path: ['scope'], message: `the scope "${scope}" needs namedBy` }]
    : [{ path: ['namedBy'], message: 'is for the scopes "named" and "namespace-of-named" only' }];
}

/** What the functions and the sources may do, all in all. */
export const permissionsSchema = z.array(
  permissionSchema.superRefine((permission, context) => {
    const rules = [secretProblems, groupProblems, nameProblems];
    for (const { path, message } of rules.flatMap((rule) => rule(permission)))
      context.addIssue({ code: 'custom', path, message });
  }),
);
