import { ApiError, type KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

export const policies = 'validatingadmissionpolicies.admissionregistration.k8s.io';
export const bindings = 'validatingadmissionpolicybindings.admissionregistration.k8s.io';

export const aServer = (): ApiServer =>
  createApiServer({ clock: new VirtualClock(Date.parse('2026-01-02T00:00:00Z')) });

export const aRule = (changes: object = {}) => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['configmaps'],
  ...changes,
});

/** A policy on ConfigMaps that wants `data.color`. */
export const aPolicy = (spec: object = {}): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: {
    matchConstraints: { resourceRules: [aRule()] },
    validations: [{ expression: 'has(object.data.color)', message: 'no color' }],
    ...spec,
  },
});

export const aBinding = (spec: object = {}): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
  spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
});

/** A policy that asks for this alone. */
export const wanting = (expression: string, spec: object = {}): KubeObject =>
  aPolicy({ validations: [{ expression, message: 'refused' }], ...spec });

/** A server on which the policy holds. */
export function under(policy: KubeObject, binding = aBinding()): ApiServer {
  const server = aServer();
  server.cluster.create(policies, policy);
  server.cluster.create(bindings, binding);
  return server;
}

export const aConfigMap = (data: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'default', ...metadata },
  data,
});

/** Why it was refused, or `taken`. */
export function verdict(run: () => unknown): string {
  try {
    run();
    return 'taken';
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

export const creation = ({ cluster }: ApiServer, object: KubeObject = aConfigMap()): string =>
  verdict(() => cluster.create('configmaps', object));

/** The refusal of a ConfigMap by the policy. */
export const denied = (why: string, name = 'c'): string =>
  `configmaps "${name}" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${why}`;
