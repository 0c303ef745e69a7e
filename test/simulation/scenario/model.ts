import type { MachineApiName } from '../../../shared/dialects/registry.ts';
import type { World } from '../world.ts';
import type { WorldParts } from '../world-parts.ts';

/** A Machine of the scenario, by what does not change of it. */
export interface MachinePlan {
  api: MachineApiName;
  /** `machines.cluster.x-k8s.io`. */
  resource: string;
  namespace: string;
  name: string;
  /** Of the cluster that its Node is in; `management` where Nodes are beside their Machines. */
  host: string;
  /** Name of its Node; undefined where it never had one. */
  node: string | undefined;
}

/** Something that somebody beside phaseout does. It says by itself what it did (`world.say`). */
export interface Deed {
  /** Milliseconds after phaseout began. */
  at: number;
  run(world: World): void;
}

/** Why a Machine that is being deleted stands still, as the world shows it; not as phaseout does. */
export interface Blocker {
  machine: MachinePlan;
  /** `hook`, `pod`, `budget`, `volume`, `infrastructure`, `bootstrap`, `node`, `paused`, `rule`, `cluster`, … */
  kind: string;
  /** In words, for the story. */
  what: string;
  /** What the Machine's status, or an Event of it, has to mention of it. */
  says: RegExp;
}

/** A world and what happens in it, made from a seed. */
export interface Scenario {
  world: Omit<WorldParts, 'random'>;
  machines: readonly MachinePlan[];
  /** Machines that phaseout is not there for. */
  others?: readonly MachinePlan[];
  /** Makes all that exists at the beginning. Three seconds later phaseout begins. */
  build(world: World): void;
  deeds: readonly Deed[];
  /** Milliseconds after the beginning: no fault and no deed comes later. */
  calmAt: number;
  /** What holds Machines now, and will for ever unless somebody does something about it. */
  blockers(world: World): Blocker[];
  /** Somebody does something about all of it: from now on nothing holds any Machine. */
  giveIn(world: World): void;
}
