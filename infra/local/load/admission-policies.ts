import { fileURLToPath } from 'node:url';
import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import { type Manifest, readManifests } from '../../terminal/manifests.ts';
import { bindingIn, policyIn } from '../kubernetes/admission/policy.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';

const group = 'admissionregistration.k8s.io';

/** The policies that are applied to real clusters, by the kind that must be served for them to make sense. */
const files: Readonly<Record<string, string>> = {
  'machines.machine.openshift.io': 'machine-lifecycle-hooks.yaml',
  'machinedrainrules.cluster.x-k8s.io': 'machine-drain-rules.yaml',
};

/** A policy and its binding, as they are applied to a real cluster. */
export interface AdmissionPolicy {
  /** The key of the resource that it is about. */
  readonly concerns: string;
  readonly manifests: readonly Manifest[];
}

export function readAdmissionPolicies(): Promise<AdmissionPolicy[]> {
  const read = Object.entries(files).map(async ([concerns, file]) => {
    const path = fileURLToPath(new URL(`../../admission/${file}`, import.meta.url));
    return { concerns, manifests: await readManifests([path]) };
  });
  return Promise.all(read);
}

/** Makes the policies hold where their kinds are served. A cluster with policies of the same name keeps its own. */
export function installPolicies({ cluster }: ApiServer, policies: readonly AdmissionPolicy[]): void {
  const served = cluster.resources();
  const wanted = policies.filter(({ concerns }) => served.includes(concerns));
  for (const { object } of wanted.flatMap(({ manifests }) => manifests)) {
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
