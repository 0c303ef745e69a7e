import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { digest, environmentSources } from './configuration.ts';
import { resourcesOf, restricted } from './container.ts';
import type { Installation } from './installed.ts';
import { selectorLabels } from './manifest.ts';

export const tableComponent = 'table';

const hour = 3_600;

/**
 * Sets up the table, or finds that it is there. A Job's content cannot change, so its name is made from it. The Job
 * goes an hour after its end. A later apply runs it again, and that changes nothing.
 */
export function tableJob(installation: Installation): KubeObject {
  const { file, environment } = installation;
  const asked = Object.entries(environment).filter(([name]) =>
    /^(PHASEOUT_(TABLE|DYNAMODB)|AWS)_?/.test(name),
  );
  const spec = {
    backoffLimit: 10,
    activeDeadlineSeconds: 900,
    ttlSecondsAfterFinished: hour,
    template: {
      metadata: { labels: selectorLabels(file.service, tableComponent) },
      spec: podOf(installation),
    },
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${file.service}-${tableComponent}-${digest([spec, asked])}`,
      namespace: file.namespace,
    },
    spec,
  };
}

const podOf = (installation: Installation) => ({
  serviceAccountName: installation.file.serviceAccounts.table,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  restartPolicy: 'OnFailure',
  containers: [
    {
      name: tableComponent,
      image: installation.image,
      args: ['table'],
      envFrom: environmentSources(installation),
      resources: resourcesOf({
        requests: { cpu: '50m', memory: '128Mi' },
        limits: { memory: '256Mi' },
      }),
      securityContext: restricted,
    },
  ],
});
