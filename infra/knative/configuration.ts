import { createHash } from 'node:crypto';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Installation } from './installed.ts';

/** The functions' variables. Those that are empty count as not set; they show what could be. */
export const configuration = ({ file, environment }: Installation): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: file.service, namespace: file.namespace },
  data: environment,
});

/** Instances read the variables at their start only: when these are changed, Knative starts new ones. */
export function instanceAnnotations({ environment, hasDynamodb }: Installation): Record<string, string> {
  const { PHASEOUT_DYNAMODB_ENDPOINT: store, ...others } = environment;
  return {
    'phaseout.dev/configuration': digest({ ...others, store: hasDynamodb ? '' : store }),
    // For itself, so that the component that brings it along can say so beside whatever the rest of them is.
    ...(hasDynamodb ? { 'phaseout.dev/store': 'dynamodb-local' } : {}),
  };
}

export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 10);

/** Static keys of AWS or of what stands in for it, for those who have nothing better. It need not be there. */
const credentialsSecret = (service: string): string => `${service}-aws-credentials`;

/** The variables of a container, in the order in which later ones win. */
export const environmentSources = ({ file: { service } }: Installation) => [
  { configMapRef: { name: service } },
  { secretRef: { name: credentialsSecret(service), optional: true } },
];
