import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';

/** DeletionHooks, as phaseout installs them. */
export const hookDefinitions: readonly KubeObject[] = [
  parse(readFileSync(new URL('../../../infra/crds/deletionhooks.yaml', import.meta.url), 'utf8')),
];

/** DrainPolicies, as phaseout installs them. */
export const policyDefinitions: readonly KubeObject[] = [
  parse(readFileSync(new URL('../../../infra/crds/drainpolicies.yaml', import.meta.url), 'utf8')),
];

/** Triggers, with any fields. */
export const triggerDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'triggers.eventing.knative.dev' },
  spec: {
    group: 'eventing.knative.dev',
    scope: 'Namespaced',
    names: { kind: 'Trigger', listKind: 'TriggerList', plural: 'triggers', singular: 'trigger' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
