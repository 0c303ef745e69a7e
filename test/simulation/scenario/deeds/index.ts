import type { Fault } from '../../faults/fault.ts';
import { hookBroughtBack } from './brought-back.ts';
import { budgetDeeds } from './budgets.ts';
import { changedAtHandOver } from './changed-at-hand-over.ts';
import { clusterDeeds } from './clusters.ts';
import { deletedAsRegistered } from './deleted-as-registered.ts';
import { functionDeeds } from './functions.ts';
import { identityDeeds } from './identities.ts';
import { kubeconfigDeeds } from './kubeconfigs.ts';
import { machineDeeds } from './machines.ts';
import { machineMigrates } from './migrated.ts';
import { podComesBackByName } from './named-pods.ts';
import { neededAtHandOver } from './needed-at-hand-over.ts';
import { nodeDeeds } from './nodes.ts';
import { ownLeaseRemoved } from './own-lease.ts';
import { pausedOnTheWay } from './paused-on-the-way.ts';
import { peersRestart } from './peers-restart.ts';
import { podDeeds } from './pods.ts';
import { hookPutBack } from './put-back-hooks.ts';
import { releases } from './released.ts';
import { ruleDeeds } from './rules.ts';
import { tornAway } from './torn-away.ts';
import { webhookDeeds } from './webhooks.ts';

/** What users, and whatever runs in their clusters, do while Machines go; each with a switch of its own. */
export const deeds: readonly Fault[] = [
  ...machineDeeds,
  ...identityDeeds,
  ...tornAway,
  ...podDeeds,
  podComesBackByName,
  ...budgetDeeds,
  ...ruleDeeds,
  ...nodeDeeds,
  ...clusterDeeds,
  ...kubeconfigDeeds,
  ...webhookDeeds,
  hookPutBack,
  pausedOnTheWay,
  deletedAsRegistered,
  hookBroughtBack,
  neededAtHandOver,
  changedAtHandOver,
  machineMigrates,
  peersRestart,
  ownLeaseRemoved,
  ...functionDeeds,
  ...releases,
];
