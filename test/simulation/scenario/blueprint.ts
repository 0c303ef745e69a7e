import type { MachinePlan } from './model.ts';

/** A Cluster object with the way to its Nodes. Machines of OpenShift have none: their Nodes are beside them. */
export interface ClusterBlueprint {
  api: 'capi' | 'v1alpha1';
  namespace: string;
  name: string;
  /** The cluster of the simulation that its kubeconfig leads to. */
  host: string;
  /** The owner of its control plane where no Machine is. Undefined where Machines are, or nothing is. */
  controlPlane: 'external' | undefined;
  isPaused: boolean;
}

export type HookPoint = 'pre-drain' | 'pre-terminate';

export interface HookBlueprint {
  point: HookPoint;
  /** The annotation's key, or the hook's name. */
  name: string;
  /** `local-hook-owner` takes its hooks off as soon as the Machine waits for them. */
  owner: string;
  /** When its owner takes it off, in milliseconds from the beginning; undefined if it never does. */
  leavesAt: number | undefined;
}

/** An infrastructure or bootstrap object. */
export interface ReferredBlueprint {
  /** From being deleted to gone. */
  stopSeconds: number;
  neverStops: boolean;
  /** Finalizers beside the provider's own. */
  finalizers: readonly string[];
}

/** A volume on its Node with only one sign of it. */
interface OddVolumeBlueprint {
  sign: 'the Node alone' | 'an attachment alone' | 'an attachment that is none yet';
  /** When it comes off, in milliseconds from the beginning. A volume that is not attached stays as it is. */
  comesOffAt: number;
  /** When somebody puts a Pod on the Node, cordoned or not. */
  podAt: number | undefined;
}

/** The annotation keeps everybody from looking for so many seconds, or has the volume be waited for no more. */
interface NeededAgain {
  annotation: string;
  isForGood: boolean;
  goesOnSeconds: number;
}

/** In seconds; what is undefined has no limit. */
export interface Timeouts {
  drain?: number;
  volumes?: number;
  node?: number;
}

/** How it is at the beginning with a server that a provider keeps. */
export interface ServerBlueprint {
  /** `gone`: its Machine does not know that it is; `not made`: its Machine is new. */
  state: 'running' | 'gone' | 'not made';
  /** Beside it runs the forgotten server of an earlier Machine of the same name. */
  hasLeftover: boolean;
  /** When a user makes the Machine, in milliseconds from the beginning; undefined where it is there from the beginning. */
  madeAt?: number;
}

export interface MachineBlueprint extends MachinePlan {
  /** Name of its Cluster; undefined where its API has none. */
  cluster: string | undefined;
  isControlPlane: boolean;
  providerID: string;
  /** Name of the Machine whose infrastructure and bootstrap objects it refers to, which controls them. */
  copyOf?: string;
  /** False where the Machine does not say which Node is its own. */
  hasNodeRef: boolean;
  /** Another server has taken the name of its Node since it was made. */
  isNodeTaken?: boolean;
  /** Undefined where it does not exist (any more), or its API knows none. */
  infrastructure: ReferredBlueprint | undefined;
  bootstrap: ReferredBlueprint | undefined;
  hooks: readonly HookBlueprint[];
  timeouts: Timeouts;
  oddVolume?: OddVolumeBlueprint;
  /** For so many seconds from the first time that somebody wants its Node deleted, a webhook does not allow it. */
  nodeKeptSeconds?: number;
  /** The same of its server. Somebody uses its Node meanwhile, and its Machine may have lost its nodeRef. */
  serverKept?: { seconds: number; podAfterSeconds: number | undefined; isNodeForgotten?: boolean };
  /** Each time that this was read so often, its API wants to be left alone. */
  heldOff?: { what: 'infrastructure' | 'node' | 'pods'; times: number };
  /** Its Node is needed again while a volume is waited for. */
  neededAgain?: NeededAgain;
  /** When a user changes a label of it, in milliseconds from the beginning; then its status changes a few times. */
  labelledAt?: number;
  /** Given where it is not just running. */
  server?: ServerBlueprint;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  /** Finalizers of others, before our own and after it. */
  earlierFinalizers: readonly string[];
  finalizers: readonly string[];
  /** When users delete it, in milliseconds from the beginning; more than one time is more than one try. */
  deletedAt: readonly number[];
}

export interface NodeBlueprint {
  host: string;
  name: string;
  providerID: string;
  labels: Readonly<Record<string, string>>;
  finalizers: readonly string[];
}

export interface PodBlueprint {
  /** What is special about it, for the coverage of plans. */
  kind: string;
  host: string;
  namespace: string;
  name: string;
  node: string;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  finalizers: readonly string[];
  /** Name of its ReplicaSet; undefined for a Pod without a replacement. */
  replicaSet: string | undefined;
  /** Name of a Job that is its controller in name only. */
  job: string | undefined;
  /** Names of the claims whose volumes it uses. */
  claims: readonly string[];
  hasLocalStorage: boolean;
  /** How it is found at the beginning. */
  state: 'running' | 'Succeeded' | 'Failed' | 'terminating';
}

/** A ReplicaSet, or a DaemonSet, which has no number of replicas. */
export interface SetBlueprint {
  kind: 'ReplicaSet' | 'DaemonSet';
  host: string;
  namespace: string;
  name: string;
  replicas: number;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  /** Its Pods run on every Node that will have them, cordoned ones too. */
  toleratesAll: boolean;
  nodeSelector: Readonly<Record<string, string>>;
}

export interface BudgetBlueprint {
  host: string;
  namespace: string;
  name: string;
  spec: object;
}

export interface VolumeBlueprint {
  host: string;
  namespace: string;
  /** Of its claim; the volume's own has `pv-` and the namespace before it. */
  name: string;
  /** The Node that it never comes off of. */
  stuckOn: string | undefined;
}

interface RuleBlueprint {
  namespace: string;
  name: string;
  spec: object;
}

/** All that exists at the beginning, and when users do what they came for. */
export interface Blueprint {
  clusters: readonly ClusterBlueprint[];
  machines: readonly MachineBlueprint[];
  nodes: readonly NodeBlueprint[];
  pods: readonly PodBlueprint[];
  sets: readonly SetBlueprint[];
  budgets: readonly BudgetBlueprint[];
  volumes: readonly VolumeBlueprint[];
  rules: readonly RuleBlueprint[];
}
