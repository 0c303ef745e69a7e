import type { FactEvent } from '../../../events/types.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { standingOrUnread } from '../../../shared/explain/status-of.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { checkpointAnnotation, parseCheckpoint } from '../../../shared/machine/checkpoint.ts';
import { type Phase, phases } from '../../../shared/machine/phase.ts';
import type { Clock, Instant } from '../../../shared/time/clock.ts';
import { type Listed, labelOf, type Target, targetIn } from '../fleet.ts';
import { type Change, toChange } from './change.ts';
import { Ends, type WatchedFleet } from './ends.ts';
import { type Journey, Progress } from './progress.ts';
import type { Arrangement, Reporter } from './reporter.ts';
import { pause } from './until-gone.ts';

/** How long the last fact may take once the Machine is gone. */
const lastWordsMilliseconds = 1_000;
const maxLooks = 10;

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
  #early: FactEvent[] = [];
  #fleet: WatchedFleet | undefined;
  #ends: Ends | undefined;

  constructor(reporter: Reporter, clock: Clock, ending: AbortSignal) {
    this.#reporter = reporter;
    this.#clock = clock;
    this.#ending = ending;
  }

  /** Facts may come before the start is complete: they are shown after it. */
  readonly tell = (fact: FactEvent): void => {
    if (this.#fleet === undefined) return void this.#early.push(fact);
    const target = targetIn(this.#fleet, fact.data.machine);
    if (target !== undefined) this.#show(toChange(fact, this.labelOf(target)), target);
  };

  begin(arrangement: Omit<Arrangement, 'progress'>, fleet: WatchedFleet): void {
    this.#fleet = fleet;
    this.#ends = new Ends(fleet, this.#clock, this.#ending);
    this.#reporter.begin({ ...arrangement, progress: this.progress });
    for (const fact of this.#early.splice(0)) this.tell(fact);
  }

  /** A deletion that began earlier and waits sends no facts: the Machine's status shows its phase. */
  resume({ target, machine }: Listed): void {
    const standing =
      this.journeyOf(target) === undefined ? standingOf(machine, this.#clock.now()) : undefined;
    if (standing === undefined) return;
    this.#show({ ...standing, time: this.#clock.now(), machine: this.labelOf(target) }, target);
  }

  journeyOf(target: Target): Journey | undefined {
    const label = this.labelOf(target);
    return this.progress.journeys.find(({ machine }) => machine === label);
  }

  /** Resolves true when the Machine is gone, false when the end came first. */
  follow(target: Target): Promise<boolean> {
    const followed = this.#followed.get(target.uid) ?? this.#look(target);
    this.#followed.set(target.uid, followed);
    return followed;
  }

  /** Those of these Machines that are in deletion. */
  left(targets: readonly Target[]): Journey[] {
    const names = new Set(targets.map((target) => this.labelOf(target)));
    return this.progress.journeys.filter(({ machine, goneAt }) => goneAt === undefined && names.has(machine));
  }

  #show(change: Change, target: Target): void {
    if (this.#gone.has(target.uid)) return;
    if (change.event === 'released') this.#release(target);
    if (this.progress.add(change, phasesShown(target.api.dialect))) this.#reporter.changed(change);
    void this.follow(target);
  }

  /** The same fact may be told twice. */
  #release(target: Target): void {
    if (this.#released.has(target.uid)) return;
    this.#released.add(target.uid);
    void this.#ends?.expectEnd(target);
  }

  async #look(target: Target): Promise<boolean> {
    if (this.#ends === undefined) return false;
    const isGone = await this.#ends.untilGone(target);
    if (isGone) await this.#tellGone(target);
    return isGone;
  }

  /** The last fact may come after the Machine is seen to be gone; nothing is heard after that. */
  async #tellGone(target: Target): Promise<void> {
    const seenAt = this.#clock.now();
    for (let looks = 0; looks < maxLooks && !this.#released.has(target.uid); looks += 1) {
      await pause(lastWordsMilliseconds / maxLooks, this.#clock, this.#ending);
    }
    this.#gone.add(target.uid);
    this.progress.gone(this.labelOf(target), seenAt);
    const journey = this.journeyOf(target);
    if (journey !== undefined) this.#reporter.gone(journey);
  }

  /** As it is shown everywhere. */
  labelOf(target: Target): string {
    return labelOf(this.#fleet ?? { machineApis: [] }, target);
  }
}

/** After a hand-over these are the phases of the API's own controller. */
const phasesShown = ({ beside, phases: own }: Dialect): readonly Phase[] =>
  beside === undefined ? own : phases;

/** What a Machine waits for, in its own words. */
interface WatchedDeletion {
  event: 'waits';
  phase: Phase;
  reason: string;
  message: string;
}

/** Where a deletion stands that phaseout has begun, as every reader tells it; undefined where it has not. */
export function standingOf(machine: KubeObject, now: Instant): WatchedDeletion | undefined {
  const { uid = '', annotations } = machine.metadata;
  if (parseCheckpoint(annotations?.[checkpointAnnotation], uid).kind !== 'valid') return undefined;
  const { phase, waitsFor } = standingOrUnread(machine, { now }) ?? {};
  return phase === undefined || waitsFor === undefined ? undefined : { event: 'waits', phase, ...waitsFor };
}
