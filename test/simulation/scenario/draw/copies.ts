import type { Random } from '../../random.ts';
import type { MachineBlueprint } from '../blueprint.ts';
import { aMachine, type Draft, type Setting } from './draft.ts';
import { drawDeletions, maxMachines } from './machines.ts';

/**
 * Somebody has copied a Machine, or has restored it under another name. Both refer to one server, which belongs to the
 * first. Any of the two may go.
 */
export function drawCopies(draft: Draft, random: Random, { latest }: Setting): void {
  const originals = draft.machines.filter(isServed);
  if (originals.length === 0 || draft.machines.length >= maxMachines || !random.chance(0.12)) return;
  const { namespace, cluster, host, name, timeouts, labels, annotations } = random.oneOf(originals);
  const site = { api: 'capi', namespace, cluster, host, workers: 1 } as const;
  const copy = aMachine(site, {
    name: `${name}-copy`,
    copyOf: name,
    infrastructure: undefined,
    bootstrap: undefined,
    timeouts,
    labels,
    annotations,
    deletedAt: random.chance(0.85) ? drawDeletions(random, latest, false) : [],
  });
  draft.machines.push(copy);
}

const isServed = ({ api, isControlPlane, infrastructure, bootstrap }: MachineBlueprint): boolean =>
  api === 'capi' && !isControlPlane && (infrastructure ?? bootstrap) !== undefined;
