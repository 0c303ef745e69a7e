import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Server } from '../../../infra/local/provider/cloud.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isOnlyWatching } from '../scenario/beside.ts';
import type { MachinePlan } from '../scenario/model.ts';
import { nameOf } from '../story/news.ts';
import type { Invariant } from './invariant.ts';
import { atTheEnd } from './sight/at-the-end.ts';
import { isDeleting, lacksItsCluster, machineIn, titleOf } from './sight/machine.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

export const serversHaveMachines: Invariant = {
  name: 'in the end each Machine of v1alpha1 that lives has its server, and servers that nobody knows are as they were',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const { present } = witness.past;
    const uids = (): string[] => world.cloud.servers().map(({ machine }) => machine.uid);
    const all = [...scenario.machines, ...(scenario.others ?? [])];
    const known = all.map((plan) => machineIn(present, plan)?.metadata.uid);
    const unknown = uids().filter((uid) => !known.includes(uid));
    return atTheEnd(world, () => {
      const there = uids();
      for (const uid of unknown)
        if (!there.includes(uid)) violated(`the server of ${uid} is gone, and nobody knows of it`);
      for (const plan of scenario.machines) {
        const lack = lackOf(witness, plan);
        if (lack !== undefined) violated(lack);
      }
    });
  },
};

function lackOf({ world, past: { present } }: Witness, plan: MachinePlan): string | undefined {
  const machine = machineIn(present, plan);
  if (plan.api !== 'v1alpha1' || isOnlyWatching(world.config)) return undefined;
  if (machine === undefined || isDeleting(machine)) return undefined;
  if (lacksItsCluster(present, machine)) return undefined;
  const server = world.cloud.servers().find((each) => each.machine.uid === machine.metadata.uid);
  if (server === undefined) return `${titleOf(plan)} lives and has no server`;
  if (textAt(machine, 'spec', 'providerID') !== server.providerId)
    return `${titleOf(plan)} does not name its server ${server.providerId}`;
  return unreported(machine, server);
}

/** What the provider tells of a server, as it tells it. */
function unreported(machine: KubeObject, { state }: Server): string | undefined {
  const told = textAt(machine, 'status', 'providerStatus', 'instanceState');
  if (told !== state) return `Machine ${nameOf(machine)} says that its server is ${told}, and it is ${state}`;
  const { addresses } = recordAt(machine, 'status');
  const hasAddress = Array.isArray(addresses) && addresses.length > 0;
  return hasAddress || state !== 'running' ? undefined : `Machine ${nameOf(machine)} has no address`;
}
