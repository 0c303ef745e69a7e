import * as z from 'zod';
import { machineApiNames, type MachineApiName } from '../../shared/runtime/config.ts';

/** Kubernetes' verbs on resources, but for deletecollection: nothing here deletes more than one object at a time. */
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;

/**
 * Who needs it: the functions where the Machines are, the functions where their Nodes are, or the sources that tell of
 * changes.
 */
const sides = ['management', 'workload', 'sources'] as const;

export type Side = (typeof sides)[number];

/** Where it is needed: in the whole cluster, or in the namespaces that have the Machines. */
const scopes = ['cluster', 'machine-namespaces'] as const;

/** One rule of what may be done. */
export interface Permission {
  side: Side;
  /** The Machine APIs that it is needed for; all if absent. */
  for?: MachineApiName[];
  scope: (typeof scopes)[number];
  apiGroups: string[];
  resources: string[];
  verbs: (typeof verbs)[number][];
  why: string;
}

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

const permissionSchema = z
  .strictObject({
    side: oneOf(sides, 'sides'),
    for: z.array(oneOf(machineApiNames, 'Machine APIs')).min(1).exactOptional(),
    scope: oneOf(scopes, 'scopes'),
    apiGroups: z.array(apiGroup).min(1),
    resources: z.array(resource).min(1),
    verbs: z.array(oneOf(verbs, 'verbs')).min(1),
    why: z.string().min(1, 'must say what it is needed for'),
  })
  .superRefine((permission, context) => {
    for (const { path, message } of [...secretProblems(permission), ...groupProblems(permission)])
      context.addIssue({ code: 'custom', path, message });
  });

interface Fault {
  path: (string | number)[];
  message: string;
}

/** Whoever may list or watch Secrets has them all, and their names are known here. */
function secretProblems({ apiGroups, resources, verbs: wanted }: Permission): Fault[] {
  if (!apiGroups.includes('') || !resources.includes('secrets')) return [];
  return wanted.flatMap((verb, index) =>
    verb === 'get' ? [] : [{ path: ['verbs', index], message: 'Secrets are read by their names: only get' }],
  );
}

/** Which kinds a provider of Cluster API has nobody knows beforehand; elsewhere they are known. */
function groupProblems({ apiGroups, resources }: Permission): Fault[] {
  const index = resources.indexOf('*');
  if (index === -1 || apiGroups.every((group) => /^[a-z]+\.cluster\.x-k8s\.io$/.test(group))) return [];
  const message =
    'all resources can be had only of the groups of providers, such as bootstrap.cluster.x-k8s.io';
  return [{ path: ['resources', index], message }];
}

/** What the functions and the sources may do, all in all. */
export const permissionsSchema: z.ZodType<Permission[]> = z.array(permissionSchema);
