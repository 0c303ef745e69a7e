import { resources } from '../../../stories/stage/fleet.ts';
import type { World } from '../../world.ts';
import type { Blueprint } from '../blueprint.ts';

/** From the end of a server to its Node's Ready turning Unknown, in milliseconds. */
const silenceMilliseconds = 3_000;

/** A Node falls silent when its server is gone. Only this links one cluster to a server of another. */
export function linkPower(world: World, { machines }: Blueprint): void {
  const byProviderId = new Map(machines.map((machine) => [machine.providerID, machine]));
  const ended = (providerID: unknown): void => {
    const machine = typeof providerID === 'string' ? byProviderId.get(providerID) : undefined;
    if (machine?.node === undefined) return;
    const { host, node } = machine;
    world.scheduler.after(silenceMilliseconds, () => silenceNode(world, host, node, machine.providerID));
  };
  world.management.watch(resources.infrastructure, ({ type, object }) => {
    if (type === 'DELETED') ended(objectAt(object.spec)['providerID']);
  });
  world.cloud.onChange(({ providerId }, isGone) => {
    if (isGone) ended(providerId);
  });
}

const objectAt = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function silenceNode(world: World, host: string, name: string, providerID: string): void {
  const node = world.cluster(host).get('nodes', undefined, name);
  if (node !== undefined && objectAt(node.spec)['providerID'] === providerID)
    setReady(world, host, name, 'Unknown');
}

/** What is heard of a Node's kubelet. */
export function setReady(world: World, host: string, name: string, ready: 'True' | 'Unknown'): void {
  const conditions = nodeConditions(ready, new Date(world.now()).toISOString());
  world.cluster(host).patch('nodes', { metadata: { name } }, { status: { conditions } }, 'status');
}

/** All is well, or nothing is known. */
export const nodeConditions = (ready: 'True' | 'Unknown', lastTransitionTime: string): object[] =>
  ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => {
    const well = type === 'Ready' ? 'True' : 'False';
    const status = ready === 'True' ? well : 'Unknown';
    const reason = ready === 'True' ? 'KubeletReports' : 'NodeStatusUnknown';
    return { type, status, reason, message: '', lastTransitionTime };
  });
