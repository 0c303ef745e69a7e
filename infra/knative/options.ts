import type { MachineApiName } from '../../shared/dialects/registry.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { MachineApiVersions } from '../serverless/for-machine-apis.ts';

/** What a cluster decides, over what serverless.yml says. */
export interface RenderOptions {
  /** Of the functions: one that the cluster's Nodes can pull. */
  image?: string;
  /** The Machine APIs that the cluster serves, with the version of each; those left out are left alone. */
  machineApis: MachineApiVersions;
  /** Where everything is installed. */
  namespace?: string;
  /** Where the Machines are; everywhere if absent. */
  namespaces?: readonly string[];
  brokerClass?: string;
  /** Brings a store along, for clusters without AWS. */
  dynamodbLocal?: boolean;
  /** Brings the Secret for the key of tokens along, without the key: deploy makes that. */
  hookKey?: boolean;
  /** Definitions and policies to bring along, as readDefinitions reads them. */
  definitions?: readonly KubeObject[];
  /** The policies for mode beside, as readDefinitions reads them; rendered only in that mode. */
  besidePolicies?: readonly KubeObject[];
  /** Variables of the functions. */
  environment?: Readonly<Record<string, string>>;
}

/** The newest version of each that is known. */
export const newestVersions = {
  capi: 'cluster.x-k8s.io/v1beta2',
  openshift: 'machine.openshift.io/v1beta1',
  v1alpha1: 'cluster.k8s.io/v1alpha1',
} as const satisfies Record<MachineApiName, string>;

/**
 * The names that choose a Machine API where no cluster can be asked for its versions. An API's own name means the
 * newest. Cluster API has one more, for the version before that.
 */
export const machineApiChoices: Readonly<Record<string, { api: MachineApiName; apiVersion: string }>> = {
  capi: { api: 'capi', apiVersion: newestVersions.capi },
  'capi-v1beta1': { api: 'capi', apiVersion: 'cluster.x-k8s.io/v1beta1' },
  openshift: { api: 'openshift', apiVersion: newestVersions.openshift },
  v1alpha1: { api: 'v1alpha1', apiVersion: newestVersions.v1alpha1 },
};
