import type { FactEvent } from '../../../events/types.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Kubernetes } from '../../../shared/kubernetes/port.ts';
import { type Change, toChange } from './change.ts';
import { type Journey, Progress } from './progress.ts';
import { standingOf } from './standing.ts';
import type { Arrangement, Reporter } from './reporter.ts';
import { machineResourceOf, type Target, targetOf } from '../targets.ts';
import { pause, untilGone } from './until-gone.ts';

/** What the Machines are looked for in. */
export interface Whereabouts {
  kubernetes: Kubernetes;
  machineApiVersion: string;
}

/** How long the last fact may take once the Machine is gone. */
const lastWordsMilliseconds = 1_000;
const mostLooks = 10;

/** Keeps the reporter and the progress informed of every Machine that is being deleted. */
export class Following {
  readonly progress = new Progress();
  readonly #reporter: Reporter;
  readonly #clock: Clock;
  readonly #ending: AbortSignal;
  readonly #followed = new Map<string, Promise<boolean>>();
  /** By UID. */
  readonly #released = new Set<string>();
  readonly #gone = new Set<string>();
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

  /** Which of these are on their way and not gone. */
  left(targets: readonly Target[]): Journey[] {
    const names = new Set(targets.map(({ namespace, name }) => `${namespace}/${name}`));
    return this.progress.journeys.filter(({ machine, goneAt }) => goneAt === undefined && names.has(machine));
  }

  #show(change: Change, target: Target): void {
    if (this.#gone.has(target.uid)) return;
    if (change.event === 'released') this.#released.add(target.uid);
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
    if (isGone) await this.#tellGone(target);
    return isGone;
  }

  /** The last fact may come after the Machine is seen to be gone; nothing is heard after that. */
  async #tellGone({ namespace, name, uid }: Target): Promise<void> {
    const seenAt = this.#clock.now();
    for (let looks = 0; looks < mostLooks && !this.#released.has(uid); looks += 1) {
      await pause(lastWordsMilliseconds / mostLooks, this.#clock, this.#ending);
    }
    this.#gone.add(uid);
    const machine = `${namespace}/${name}`;
    this.progress.gone(machine, seenAt);
    const journey = this.progress.journeys.find((known) => known.machine === machine);
    if (journey !== undefined) this.#reporter.gone(journey);
  }
}
