import type { Scene } from '../scene.ts';

export interface Story {
  /** What it goes by on the command line, and in the names of its objects: short. */
  name: string;
  text: string;
  /** Disturbs all others that would be told at the same time. */
  isAlone?: boolean;
  /** Why it cannot be told on this server; undefined where it can. */
  notHere?: (here: Here) => string | undefined;
  tell(scene: Scene): Promise<void>;
}

/** What a story may need of a server. */
export interface Here {
  hasPolicies: boolean;
  /** Policies that change what is made. */
  hasMutatingPolicies: boolean;
  version: string;
  /** Machines of Cluster API show by a reason how far their deletion has come. */
  hasReasons: boolean;
  /** What shows that Cluster API's own controller works. */
  peer: string | undefined;
  /** Cluster API has MachineDrainRules of its own. */
  hasDrainRules: boolean;
}

export const needsPolicies = ({ hasPolicies, version }: Here): string | undefined =>
  hasPolicies ? undefined : `${version} has no ValidatingAdmissionPolicy in v1, as Kubernetes 1.30 has`;

export const needsReasons = ({ hasReasons }: Here): string | undefined =>
  hasReasons
    ? undefined
    : 'Machines of Cluster API have v1beta1 alone here, without status.v1beta2, where Cluster API 1.9 says how far a deletion is';

export const needsMutatingPolicies = ({ hasMutatingPolicies, version }: Here): string | undefined =>
  hasMutatingPolicies ? undefined : `${version} has no MutatingAdmissionPolicy in v1, as Kubernetes 1.36 has`;

/** Nothing of Cluster API's is made where its own controller runs. */
export const needsRules = ({ peer, hasDrainRules }: Here): string | undefined =>
  peer === undefined || hasDrainRules
    ? undefined
    : 'Cluster API has no MachineDrainRules here, as Cluster API 1.9 has';

/** The first need that is not met. */
export const needsAll =
  (...needs: ((here: Here) => string | undefined)[]) =>
  (here: Here): string | undefined =>
    needs.map((need) => need(here)).find((why) => why !== undefined);
