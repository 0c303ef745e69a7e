import { bindingIn, policyIn } from '../kubernetes/admission/policy.ts';
import type { ApiServer } from '../kubernetes/api-server.ts';
import type { KubeObject } from '../kubernetes/cluster.ts';
import { type Manifest, readManifests } from '../manifests.ts';
import { groupVersionOf } from './made-up-kinds.ts';

const group = 'admissionregistration.k8s.io';
const openshiftMachines = 'machines.machine.openshift.io';
const lifecycleHooks = new URL('../../admission/machine-lifecycle-hooks.yaml', import.meta.url).pathname;

/** The policy on OpenShift Machines, and its binding, as they are applied to a real cluster. */
export const readAdmissionPolicies = (): Promise<Manifest[]> => readManifests([lifecycleHooks]);

/** Makes the policies hold where OpenShift Machines are served; a cluster that has some of the same name keeps its own. */
export function installPolicies({ cluster }: ApiServer, policies: readonly Manifest[]): void {
  if (!cluster.resources().includes(openshiftMachines)) return;
  for (const { object } of policies) {
    const resource = `${resourceOf(object)}.${group}`;
    if (cluster.get(resource, undefined, object.metadata.name) === undefined)
      cluster.create(resource, object);
  }
}

const resourceOf = ({ kind }: KubeObject): string =>
  kind === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : 'validatingadmissionpolicybindings';

/** A policy, or its binding, that asks for what the local API server cannot enforce. */
export function isUnenforceable(object: KubeObject): boolean {
  const { group: ofGroup, version } = groupVersionOf(object);
  const read = ofGroup === group ? readerOf(object) : undefined;
  return read !== undefined && (version !== 'v1' || 'causes' in read(object));
}

function readerOf({ kind }: KubeObject): ((object: KubeObject) => object) | undefined {
  if (kind === 'ValidatingAdmissionPolicy') return policyIn;
  return kind === 'ValidatingAdmissionPolicyBinding' ? bindingIn : undefined;
}
