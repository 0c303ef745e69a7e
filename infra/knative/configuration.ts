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

/** Instances read the variables only at their start: after a change Knative starts new instances. */
export function instanceAnnotations({ environment, hasDynamodb }: Installation): Record<string, string> {
  const { PHASEOUT_DYNAMODB_ENDPOINT: store, ...others } = environment;
  return {
    'phaseout.dev/configuration': digest({ ...others, store: hasDynamodb ? '' : store }),
    // A separate annotation, so that the component with the store can set it beside any other variables.
    ...(hasDynamodb ? { 'phaseout.dev/store': 'dynamodb-local' } : {}),
  };
}

export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 10);

/** Static keys of AWS or of a compatible store, for clusters without roles. The Secret is optional. */
const credentialsSecret = (service: string): string => `${service}-aws-credentials`;

/** The variables of a container, in the order in which later ones win. */
export const environmentSources = ({ file: { service } }: Installation) => [
  { configMapRef: { name: service } },
  { secretRef: { name: credentialsSecret(service), optional: true } },
];
