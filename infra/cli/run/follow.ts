import type { FactEvent } from '../../../events/types.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Kubernetes } from '../../../shared/kubernetes/port.ts';
import { type Change, toChange } from './change.ts';
import { Progress } from './progress.ts';
import { standingOf } from './standing.ts';
import type { Arrangement, Reporter } from './reporter.ts';
import { machineResourceOf, type Target, targetOf } from './targets.ts';
import { untilGone } from './until-gone.ts';

/** What the Machines are looked for in. */
export interface Whereabouts {
  kubernetes: Kubernetes;
  machineApiVersion: string;
}

/** Keeps the reporter and the progress informed of every Machine that is being deleted. */
export class Following {
  readonly progress = new Progress();
  readonly #reporter: Reporter;
  readonly #clock: Clock;
  readonly #ending: AbortSignal;
  readonly #followed = new Map<string, Promise<boolean>>();
  #early: { change: Change; target: Target }[] = [];
  #whereabouts: Whereabouts | undefined;

  constructor(reporter: Reporter, clock: Clock, ending: AbortSignal) {
    this.#reporter = reporter;
    this.#clock = clock;
    this.#ending = ending;
  }

  /** Facts may come before everything stands: they are shown once it does. */
  readonly tell = (fact: FactEvent): void => {
    const { namespace, name, uid } = fact.data.machine;
    const [change, target] = [toChange(fact), { namespace, name, uid }];
    if (this.#whereabouts === undefined) this.#early.push({ change, target });
    else this.#show(change, target);
  };

  begin(arrangement: Omit<Arrangement, 'progress'>, whereabouts: Whereabouts): void {
    this.#whereabouts = whereabouts;
    this.#reporter.begin({ ...arrangement, progress: this.progress });
    for (const { change, target } of this.#early.splice(0)) this.#show(change, target);
  }

  /** A deletion that began earlier and waits tells nothing new: the Machine itself says where it stands. */
  resume(machine: KubeObject): void {
    const target = targetOf(machine);
    const isKnown = this.progress.journeys.some(
      (journey) => journey.machine === `${target.namespace}/${target.name}`,
    );
    const standing = isKnown ? undefined : standingOf(machine, this.#clock.now());
    if (standing !== undefined) this.#show(standing, target);
  }

  /** Resolves true when the Machine is gone, false when the end came first. */
  follow(target: Target): Promise<boolean> {
    const followed = this.#followed.get(target.uid) ?? this.#look(target);
    this.#followed.set(target.uid, followed);
    return followed;
  }

  #show(change: Change, target: Target): void {
    if (this.progress.add(change)) this.#reporter.changed(change);
    void this.follow(target);
  }

  async #look(target: Target): Promise<boolean> {
    if (this.#whereabouts === undefined) return false;
    const { kubernetes, machineApiVersion } = this.#whereabouts;
    const resource = machineResourceOf(machineApiVersion);
    const isGone = await untilGone(target, {
      kubernetes,
      resource,
      clock: this.#clock,
      signal: this.#ending,
    });
    if (isGone) this.#tellGone(`${target.namespace}/${target.name}`);
    return isGone;
  }

  #tellGone(machine: string): void {
    this.progress.gone(machine, this.#clock.now());
    const journey = this.progress.journeys.find((known) => known.machine === machine);
    if (journey !== undefined) this.#reporter.gone(journey);
  }
}
