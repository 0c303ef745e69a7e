import { clusterApiDefinitions } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import { openShiftDefinitions } from '../../../infra/local/kubernetes/crds/openshift.ts';
import {
  ApiError,
  type KubeObject,
  type ObjectMeta,
} from '../../../infra/local/kubernetes/objects/cluster.ts';
import { installPolicies, readAdmissionPolicies } from '../../../infra/local/load/admission-policies.ts';
import { ClusterStage, type NodeParts } from './cluster-stage.ts';
import type { Conditions } from './conditions.ts';
import { merge, nodeNameOf } from './recorded.ts';
import type { StageParts } from './stage.ts';

export const machines = 'machines.machine.openshift.io';
const policies = await readAdmissionPolicies();
const namespace = 'openshift-machine-api';
const label = 'machine.openshift.io';
const providerSpec = { value: { apiVersion: `${label}/v1beta1`, kind: 'LocalMachineProviderConfig' } };

export interface Hook {
  name: string;
  owner: string;
}

export interface OpenShiftMachineParts {
  role?: 'worker' | 'master';
  metadata?: Partial<ObjectMeta>;
  preDrain?: Hook[];
  preTerminate?: Hook[];
  /** Laid over what a running Machine has; null takes a field away. */
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  /** Null for a Machine whose Node does not exist (any more). */
  node?: NodeParts | null;
  /** False for a Machine of whose server the provider does not know. */
  hasServer?: boolean;
}

export interface OpenShiftParts
  extends Pick<StageParts, 'without' | 'also' | 'carrier' | 'configured' | 'environment'> {
  /** MachineDrainRules are served, as where Cluster API's definition of them was installed. */
  hasRules?: boolean;
  /** Illegal changes of hooks are refused. */
  hasPolicy?: boolean;
  /** What is served beside OpenShift's Machine API. */
  beside?: readonly KubeObject[];
}

const isOfRules = ({ metadata }: KubeObject): boolean =>
  metadata.name === 'machinedrainrules.cluster.x-k8s.io';

/** A cluster of OpenShift: its Machines, Nodes and Pods are in one API. */
export class OpenShiftFleet extends ClusterStage {
  constructor(
    conditions: Conditions,
    { hasRules = false, hasPolicy = false, beside = [], ...parts }: OpenShiftParts = {},
  ) {
    const rules = hasRules ? clusterApiDefinitions().filter(isOfRules) : [];
    const definitions = [...openShiftDefinitions, ...rules, ...beside];
    super(conditions, { definitions, ...parts, machines: { resource: machines, namespace } });
    if (hasPolicy) installPolicies(this.server, policies);
  }

  machineThatRuns(name: string, parts: OpenShiftMachineParts = {}): void {
    anOpenShiftMachine(this, name, parts);
  }

  /** Three control plane Machines, master-1 to master-3, whose Nodes have the same names. */
  controlPlane(parts: Omit<OpenShiftMachineParts, 'role'> = {}): void {
    for (const number of [1, 2, 3]) this.machineThatRuns(`master-${number}`, { ...parts, role: 'master' });
  }

  /** Sets the hooks of a point; says so, or why the API refused it. */
  setHooks(name: string, point: 'preDrain' | 'preTerminate', hooks: Hook[]): void {
    const names = hooks.map((hook) => hook.name).join(', ') || 'none';
    try {
      this.change(machines, name, { spec: { lifecycleHooks: { [point]: hooks } } });
      this.told.say(`the ${point} hooks of ${name} are now: ${names}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.told.say(`the ${point} hooks of ${name} cannot become ${names}: ${error.message}`);
    }
  }

  /** A set of Machines; answers what makes a Machine one of them. */
  machineSet(
    name: string,
    { role = 'worker', ...spec }: { role?: string; replicas: number; deletePolicy?: string },
  ): Partial<ObjectMeta> {
    const template = { metadata: { labels: labelsOf(role) }, spec: { providerSpec } };
    const selector = { matchLabels: labelsOf(role) };
    return this.ownerOf(
      this.create('machinesets.machine.openshift.io', {
        apiVersion: `${label}/v1beta1`,
        kind: 'MachineSet',
        metadata: { name, namespace },
        spec: { selector, template, ...spec },
      }),
    );
  }

  rule(name: string, spec: object): void {
    const metadata = { name, namespace };
    this.create('machinedrainrules.cluster.x-k8s.io', {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDrainRule',
      metadata,
      spec,
    });
  }
}

/** A Machine that runs, as OpenShift's controllers leave it, with its server and its Node (worker-1 has node-1). */
export function anOpenShiftMachine(
  stage: ClusterStage,
  name: string,
  parts: OpenShiftMachineParts = {},
): void {
  const { role = 'worker', metadata = {}, preDrain = [], preTerminate = [], node = {} } = parts;
  const labels = { [`node-role.kubernetes.io/${role}`]: '' };
  const providerID = `local:///${name}`;
  const { uid = `uid-of-${nodeNameOf(name)}` } =
    node === null ? {} : stage.node(nodeNameOf(name), { providerID, labels, ...node }).metadata;
  const created = stage.create(machines, {
    apiVersion: `${label}/v1beta1`,
    kind: 'Machine',
    metadata: {
      annotations: { [`${label}/instance-state`]: 'running', ...metadata.annotations },
      labels: metadata.labels ?? labelsOf(role),
      finalizers: ['machine.machine.openshift.io', ...(metadata.finalizers ?? [])],
      ownerReferences: metadata.ownerReferences ?? [],
      name,
      namespace,
    },
    spec: merge(
      { lifecycleHooks: lifecycleHooks(preDrain, preTerminate), metadata: {}, providerID, providerSpec },
      parts.spec ?? {},
    ),
    status: merge(runningStatus(nodeNameOf(name), uid, { preDrain, preTerminate }), parts.status ?? {}),
  });
  if (parts.hasServer !== false) stage.provider.cloud.adopt(created);
}

const labelsOf = (role: string): Record<string, string> => ({
  [`${label}/cluster-api-cluster`]: 'shop-x7k2p',
  [`${label}/cluster-api-machine-role`]: role,
  [`${label}/cluster-api-machine-type`]: role,
});

const lifecycleHooks = (preDrain: Hook[], preTerminate: Hook[]) => ({
  ...(preDrain.length > 0 && { preDrain }),
  ...(preTerminate.length > 0 && { preTerminate }),
});

function runningStatus(
  node: string,
  uid: string,
  hooks: { preDrain: Hook[]; preTerminate: Hook[] },
): Record<string, unknown> {
  return {
    addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
    conditions: [
      hookCondition('Drainable', 'Drain', hooks.preDrain),
      { type: 'InstanceExists', status: 'True', lastTransitionTime: before },
      hookCondition('Terminable', 'Terminate', hooks.preTerminate),
    ],
    lastUpdated: before,
    nodeRef: { kind: 'Node', name: node, uid },
    phase: 'Running',
    providerStatus: { instanceState: 'running' },
  };
}

const before = '2025-12-31T23:00:00Z';

/** The controller says so of living Machines already. */
function hookCondition(type: string, what: string, hooks: Hook[]) {
  if (hooks.length === 0) return { type, status: 'True', lastTransitionTime: before };
  const names = hooks.map(({ name, owner }) => `{Name:${name} Owner:${owner}}`).join(' ');
  const message = `${what} operation currently blocked by: [${names}]`;
  return {
    type,
    status: 'False',
    severity: 'Warning',
    reason: 'HookPresent',
    message,
    lastTransitionTime: before,
  };
}
