import type { Clock } from '../../../shared/time/clock.ts';
import type { Cluster } from '../kubernetes/objects/cluster.ts';
import { disruption } from './budgets/disruption.ts';
import { defaultSettings, type Settings } from './machinery/settings.ts';
import { type Controller, type Report, World } from './machinery/world.ts';
import { cloudNodes } from './machines/cloud-nodes.ts';
import { clusterApiMachines } from './machines/cluster-api-machines.ts';
import { etcdQuorum } from './machines/etcd-quorum.ts';
import { healthChecks } from './machines/health-checks.ts';
import { hookOwners } from './machines/hook-owner.ts';
import { infrastructure } from './machines/infrastructure.ts';
import { machineSets } from './machines/machine-sets.ts';
import { openShiftNodeLinks, v1alpha1NodeLinks } from './machines/node-links.ts';
import { openShiftMachines } from './machines/openshift-machines.ts';
import { garbageCollector } from './namespaces/garbage-collector.ts';
import { namespaces, serviceAccounts } from './namespaces/namespace.ts';
import { kubelet } from './nodes/kubelet.ts';
import { mirrorPods } from './nodes/mirror-pods.ts';
import { nodeTaints } from './nodes/node-taints.ts';
import { scheduler } from './nodes/scheduler.ts';
import { serverPower } from './nodes/server-power.ts';
import { openShiftDrainController } from './openshift-peer/drain-controller.ts';
import { openShiftMachineController } from './openshift-peer/machine-controller.ts';
import { clusterApiPeer } from './peer/cluster-api-peer.ts';
import { originalPeer } from './peer/original-peer.ts';
import { volumeAttachments } from './volumes/volume-attachment.ts';
import { volumeProtection } from './volumes/volume-protection.ts';
import { volumeProvisioner } from './volumes/volume-provisioner.ts';
import { daemonSets } from './workloads/daemonset.ts';
import { deployments } from './workloads/deployment.ts';
import { completedPods, jobs } from './workloads/job.ts';
import { jobTracking } from './workloads/job-tracking.ts';
import { podGarbage } from './workloads/pod-garbage.ts';
import { replicaSets } from './workloads/replicaset.ts';
import { statefulSets } from './workloads/statefulset.ts';

const controllers = {
  // What kube-controller-manager runs
  'garbage-collector': garbageCollector,
  namespace: namespaces,
  'service-account': serviceAccounts,
  disruption,
  deployment: deployments,
  replicaset: replicaSets,
  statefulset: statefulSets,
  daemonset: daemonSets,
  job: jobs,
  'job-tracking': jobTracking,
  'pod-garbage': podGarbage,
  'node-taints': nodeTaints,
  'volume-attachment': volumeAttachments,
  'volume-provisioner': volumeProvisioner,
  'volume-protection': volumeProtection,
  // What runs beside it or on the Nodes
  scheduler,
  kubelet,
  'mirror-pods': mirrorPods,
  'completed-pods': completedPods,
  infrastructure,
  'server-power': serverPower,
  // Owners of hooks
  'hook-owner': hookOwners,
  'etcd-quorum': etcdQuorum,
  // What the Machine APIs have beside the deletion of Machines; the peer alone deletes, if it is asked for
  'machine-sets': machineSets,
  'health-checks': healthChecks,
  'cluster-api-machines': clusterApiMachines,
  'cluster-api-peer': clusterApiPeer,
  'original-peer': originalPeer,
  'openshift-machines': openShiftMachines,
  'openshift-machine-controller': openShiftMachineController,
  'openshift-drain-controller': openShiftDrainController,
  'openshift-node-links': openShiftNodeLinks,
  'v1alpha1-node-links': v1alpha1NodeLinks,
  servers: cloudNodes,
} satisfies Record<string, Controller>;

type ControllerName = keyof typeof controllers;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are the keys of just that
const allNames = Object.keys(controllers) as ControllerName[];

export interface ControllerOptions extends Partial<Settings> {
  /** Those to start; all of them when absent. */
  only?: readonly ControllerName[];
  /** Those not to start. */
  except?: readonly ControllerName[];
  /** Told of the first failure of each look that is no ordinary race; it will be tried again. Default: stderr. */
  report?: Report;
}

/** Starts the controllers on the cluster as it is now; the returned function stops them at once. */
export function startControllers(
  cluster: Cluster,
  clock: Clock,
  options: ControllerOptions = {},
): () => void {
  const { only = allNames, except = [], report = toStderr, ...settings } = options;
  const world = new World(cluster, clock, { ...defaultSettings, ...settings }, report);
  for (const name of only) if (!except.includes(name)) controllers[name](world);
  return () => world.stop();
}

const toStderr: Report = (error, about) => console.error(`local controller ${about}:`, error);
