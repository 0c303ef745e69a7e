import type { MachineApiName } from '../../shared/dialects/registry.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { ServerlessFile } from '../serverless/model.ts';

/** serverless.yml for one cluster: what every kind of object is rendered from. */
export interface Installation {
  /** In its namespace, with the sources and Triggers of the Machine APIs that are served. */
  file: ServerlessFile;
  image: string;
  machineApis: readonly MachineApiName[];
  namespaces?: readonly string[];
  /** Every variable of the functions that is the same for all of them. */
  environment: Readonly<Record<string, string>>;
  hasDynamodb: boolean;
  hasHookKey: boolean;
  definitions: readonly KubeObject[];
  /** As they are written. */
  besidePolicies: readonly KubeObject[];
}
