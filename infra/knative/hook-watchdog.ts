import { leaseOf } from '../../shared/dialects/beside/hook.ts';
import { groupOf } from '../../shared/dialects/registry.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { ownGroup } from '../../shared/machine/own-kind.ts';
import { besideIn } from './beside.ts';
import { resourcesOf, restricted } from './container.ts';
import type { Installation } from './installed.ts';
import { selectorLabels } from './manifest.ts';
import { toApiServers } from './network-policies.ts';
import { boundRole, type Grant } from './rbac-objects.ts';

export const hookWatchdogComponent = 'dead-man';

/** Its name, and that of its namespace. */
export const hookWatchdogName = (service: string): string => `${service}-${hookWatchdogComponent}`;

/**
 * A CronJob that takes the hooks of an installation off once that is gone, beside the Machine APIs' own controllers. It
 * has a namespace of its own. So it is still there when somebody has deleted the namespace of the installation.
 */
export function hookWatchdog(installation: Installation): KubeObject[] {
  const { service } = installation.file;
  const name = hookWatchdogName(service);
  const here = { name, namespace: name };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: here },
    ...roles({ name, to: here }, installation),
    ...networkPolicy(here, installation),
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: here,
      spec: {
        schedule: '*/5 * * * *',
        concurrencyPolicy: 'Forbid',
        startingDeadlineSeconds: 200,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 1,
        jobTemplate: {
          spec: {
            // The next one comes in five minutes.
            backoffLimit: 0,
            activeDeadlineSeconds: 280,
            template: {
              metadata: { labels: selectorLabels(service, hookWatchdogComponent) },
              spec: podOf(name, installation),
            },
          },
        },
      },
    },
  ];
}

/** Where the Lease is cannot limit the right to read it: a role in that namespace would go with it. */
function roles(grant: Grant, { environment, namespaces }: Installation): KubeObject[] {
  const { apis, installation } = besideIn(environment);
  const name = leaseOf(installation);
  const lease = {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: [name],
    verbs: ['get'],
  };
  // All that may have the hook: what moves a Machine from one API to the other carries it along.
  const machines = {
    apiGroups: apis.map(groupOf),
    resources: ['machines'],
    verbs: ['get', 'list', 'patch'],
  };
  // What DeletionHooks say for when phaseout is gone, and where that is told.
  const deletionHooks = { apiGroups: [ownGroup], resources: ['deletionhooks'], verbs: ['list'] };
  const events = { apiGroups: [''], resources: ['events'], verbs: ['create'] };
  const there = [machines, deletionHooks, events];
  if (namespaces === undefined) return boundRole(grant, [...there, lease]);
  return [
    ...boundRole(grant, [lease]),
    ...namespaces.flatMap((namespace) => boundRole(grant, there, namespace)),
  ];
}

function networkPolicy(
  metadata: { name: string; namespace: string },
  { file: { network, service } }: Installation,
): KubeObject[] {
  if (network === undefined) return [];
  const spec = {
    podSelector: { matchLabels: selectorLabels(service, hookWatchdogComponent) },
    policyTypes: ['Ingress', 'Egress'],
    egress: toApiServers(network),
  };
  return [{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec }];
}

const podOf = (serviceAccountName: string, { image, ...installation }: Installation) => ({
  serviceAccountName,
  enableServiceLinks: false,
  restartPolicy: 'Never',
  containers: [
    {
      name: hookWatchdogComponent,
      image,
      command: ['/nodejs/bin/node', '/app/dead-man.cjs'],
      env: Object.entries(variables(installation)).map(([name, value]) => ({ name, value })),
      resources: resourcesOf({ requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '256Mi' } }),
      securityContext: restricted,
    },
  ],
});

/** Written here and not taken from the ConfigMap, which goes with the installation. */
const variables = ({
  file,
  environment,
  namespaces = [],
}: Omit<Installation, 'image'>): Record<string, string> => ({
  LEASE_NAMESPACE: file.namespace,
  PHASEOUT_INSTALLATION: besideIn(environment).installation,
  PHASEOUT_NAMESPACES: namespaces.join(','),
});
