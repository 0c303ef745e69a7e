import * as z from 'zod';
import { hookWatchdogName } from '../../../infra/knative/hook-watchdog.ts';
import { rbacObjects, workloadClusterObjects } from '../../../infra/knative/rbac.ts';
import type { AccessOptions, AuditEntry } from '../../../infra/local/kubernetes/authorization/access.ts';
import {
  serviceAccountGroups,
  serviceAccountName,
} from '../../../infra/local/kubernetes/authorization/user.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { MachineApiName } from '../../../shared/dialects/registry.ts';
import { serverless } from './rendered.ts';

const { namespace, serviceAccounts } = serverless;

const accountOf = (name: string, space = namespace) => ({
  name: serviceAccountName(space, name),
  groups: serviceAccountGroups(space),
});

/** Whom the instances are in the cluster that has the Machines, whom in workload clusters, and whom the sources are. */
export const users = {
  functions: accountOf(serviceAccounts.functions),
  workload: { name: 'workload', groups: [] },
  // Each is in the namespace of the Machines that it watches.
  sources: accountOf(serviceAccounts.sources, 'fleet'),
  sourcesOfOpenShift: accountOf(serviceAccounts.sources, 'openshift-machine-api'),
  deadMan: accountOf(hookWatchdogName(serverless.service), hookWatchdogName(serverless.service)),
  /** Who runs our commands in a terminal. */
  administrator: { name: 'administrator', groups: ['system:masters'] },
};

export type UserName = keyof typeof users;

const keyOf = ({ user, verb, group, resource, subresource, path }: AuditEntry): string =>
  [user, verb, group, resource, subresource, path].join(' ');

const deedOf = ({ verb, resource, subresource }: AuditEntry): string =>
  `${verb} ${[resource, subresource].filter(Boolean).join('/')}`;

const ruleSchema = z.looseObject({ resources: z.array(z.string()).default([]), verbs: z.array(z.string()) });
const roleSchema = z.looseObject({ rules: z.array(ruleSchema).default([]) });

const withoutVerb = (rule: z.infer<typeof ruleSchema>, resource: string, verb: string) =>
  rule.resources.includes(resource) ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule;

/** What the roles are rendered for. */
interface Installed {
  machineApis: MachineApiName[];
  namespaces: string[];
  /** Whether they hold in all others, too. */
  isEverywhere?: boolean;
  /** How the instances are configured, where roles follow that. */
  environment?: Readonly<Record<string, string>>;
}

/** Everybody has what is rendered from serverless.yml, and nothing else. */
export class Identities {
  readonly #asked = new Map<string, AuditEntry>();
  /** Deeds that no identity may do for a while. */
  readonly #withdrawn = new Set<string>();
  readonly access: AccessOptions;
  readonly #installed: { resource: string; object: KubeObject }[] = [];

  /** `refused` is called for each request without a permission for it. */
  constructor(refused: (entry: AuditEntry) => void) {
    this.access = {
      users,
      audit: (entry) => {
        if (entry.decision === 'allow') this.#asked.set(keyOf(entry), entry);
        else if (!this.#withdrawn.has(deedOf(entry))) refused(entry);
      },
    };
  }

  /** Takes a verb on a resource, such as `create pods/eviction`, out of all roles; the returned function gives it back. */
  withdraw({ cluster }: ApiServer, deed: string): () => void {
    const [verb = '', resource = ''] = deed.split(' ');
    const changed = ['clusterroles', 'roles'].flatMap((kind) =>
      cluster
        .list(`${kind}.rbac.authorization.k8s.io`)
        .filter((role) => roleSchema.parse(role).rules.some((rule) => rule.resources.includes(resource)))
        .map((role) => ({ kind: `${kind}.rbac.authorization.k8s.io`, role })),
    );
    for (const { kind, role } of changed) {
      const rules = roleSchema.parse(role).rules.map((rule) => withoutVerb(rule, resource, verb));
      cluster.patch(kind, role, { rules: rules.filter(({ verbs }) => verbs.length > 0) });
    }
    this.#withdrawn.add(deed);
    return () => {
      this.#withdrawn.delete(deed);
      for (const { kind, role } of changed) cluster.patch(kind, role, { rules: role['rules'] });
    };
  }

  /** What was asked and allowed, each once. */
  asked(): AuditEntry[] {
    return [...this.#asked.values()];
  }

  /** As on a cluster that serves these Machine APIs, with Machines in these namespaces; what was installed before goes. */
  install({ cluster }: ApiServer, options: Installed): void {
    const variables = options.environment ?? {};
    for (const { resource, object } of this.#installed.splice(0)) cluster.remove(resource, object);
    const inWorkloadClusters = options.machineApis
      .filter((machineApi) => machineApi !== 'openshift')
      .flatMap((machineApi) => workloadClusterObjects(serverless, machineApi, variables))
      .filter(({ kind }) => kind?.startsWith('ClusterRole'))
      .map((object) => asUser(object, users.workload.name));
    const [first] = options.namespaces;
    const environment = {
      ...variables,
      PHASEOUT_ACTUATOR_SECRET: `${first}/provider-token`,
      PHASEOUT_DUE_PING_SOURCE: `${first}/sweep-due`,
      PHASEOUT_HOOK_KEY: `${first}/hook-key`,
    };
    const { machineApis, namespaces } = options;
    const places = options.isEverywhere === true ? {} : { namespaces };
    const rendered = rbacObjects(serverless, { machineApis, environment, ...places });
    for (const object of [...rendered, ...inWorkloadClusters]) {
      const resource = `${(object.kind ?? '').toLowerCase()}s.rbac.authorization.k8s.io`;
      this.#installed.push({ resource, object: cluster.create(resource, object) });
    }
  }
}

/** A workload cluster's role, for the user of its kubeconfig Secret; both clusters are in one API server here. */
const asUser = (object: KubeObject, name: string): KubeObject =>
  object.kind === 'ClusterRoleBinding'
    ? {
        ...object,
        metadata: { name: `${object.metadata.name}-of-${name}` },
        subjects: [{ kind: 'User', name }],
      }
    : object;

/** The API server as one user comes to it. */
export const serverAs = (server: ApiServer, user: UserName): ApiServer => ({
  ...server,
  respond: (request) =>
    server.respond({ ...request, headers: { ...request.headers, authorization: `Bearer ${user}` } }),
});

/** What serverless.yml would have to say for it to be permitted. */
export function lacking({
  user,
  verb,
  group,
  resource,
  subresource,
  namespace: place,
  path,
}: AuditEntry): string {
  const side = Object.entries(users).find(([, { name }]) => name === user)?.[0] ?? user;
  if (path !== '') return `${side} asks to ${verb} ${path}`;
  const full = [resource, subresource].filter(Boolean).join('/');
  const where = place === '' ? 'in the whole cluster' : `in namespace ${place}`;
  return `provider.permissions lacks { apiGroups: ['${group}'], resources: [${full}], verbs: [${verb}] } for the ${side} ${where}`;
}
