import { ownWrites } from '../cache/cache.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { Advance } from '../machine/messages.ts';
import type { Environment, Pending, Requeues, StepResult } from '../runtime/environment.ts';
import {
  answered,
  claimMilliseconds,
  followUp,
  knownVersions,
  unnamed,
  versionToReport,
} from '../store/claim.ts';
import type { BeforeClaim, Claim, Requeue } from '../store/port.ts';
import { takesThePlaceOf } from '../store/requeue.ts';

const nothing = { ours: [], seen: undefined };

/** An instance may end its step just as another asks for the Machine, but not each time. */
const maxTries = 3;

/**
 * Keeps other instances from a step of the same Machine. The write of one comes back to the others as news. Two that
 * look at once evict the same Pods twice. A late instance leaves word, and the owner looks once more. It is no lock:
 * it ends with its time, and with the store away there is none. UIDs and resourceVersions protect each effect all the
 * same.
 */
export class StepClaim implements Requeues {
  readonly #env: Environment;
  readonly #pending: Pick<Pending, 'versions'>;
  readonly #taking: Promise<BeforeClaim | undefined>;
  /** Where the Machine stands, by what is known. */
  #standing: Advance;
  /** The look that is due if the step sets no other. */
  #look: Requeue | undefined;
  #isPassedOn = false;
  #isRepeat = false;
  #state: 'held' | 'released' | 'left' = 'held';
  #news: readonly string[] = [];

  /**
   * Asks for the claim at once: the first reads need not wait for it.
   * @param pending what this instance itself hears meanwhile
   */
  constructor(env: Environment, command: Advance, pending: Pick<Pending, 'versions'>) {
    this.#env = env;
    this.#pending = pending;
    this.#standing = command;
    this.#taking = this.#take(command);
    // The first reads may fail before the claim is answered.
    this.#taking.catch(() => undefined);
  }

  /** What the store had before. Undefined while another instance has the Machine: that one then knows of the command. */
  taken(): Promise<BeforeClaim | undefined> {
    return this.#taking;
  }

  /** The Machine was found there. `isPassedOn`: this step only hands its command on, and leaves the due look. */
  stands(where: Pick<Advance, 'phase' | 'seq'>, isPassedOn = false): void {
    const { phase, seq } = where;
    this.#standing = { ...this.#standing, phase, seq };
    this.#isPassedOn = isPassedOn;
  }

  /** The Machine was found further on. Pending events may ask for that step, and this one did nothing of it. */
  standsFurther(where: Pick<Advance, 'phase' | 'seq'>): void {
    this.stands(where);
    this.#isRepeat = true;
  }

  async requeue(look: Requeue, standing: Advance): Promise<{ isSet: boolean; isAlone: boolean }> {
    // A look that an earlier phase has set does not count for this one.
    const before = standing.seq === this.#standing.seq ? this.#look : undefined;
    this.#standing = standing;
    const isSet = before === undefined || takesThePlaceOf(look, before, this.#env.clock.now());
    const wasOurs = await this.#release(isSet ? look : before);
    const isAlone = this.#news.includes(unnamed);
    // This instance takes over the watch of the other one.
    this.#news = this.#news.filter((version) => version !== unnamed);
    return { isSet: wasOurs ? isSet : await this.#env.store.schedule(look), isAlone };
  }

  forgetRequeue(): void {
    this.#look = undefined;
  }

  async leave(): Promise<void> {
    this.#state = 'left';
    await this.#env.store.unschedule(this.#standing.machine.uid);
  }

  /** Ends the step. Adds one more look if the step has not seen a version that was heard meanwhile. */
  async end(result: StepResult): Promise<StepResult> {
    if ((await this.#taking) === undefined || this.#state === 'left') return result;
    const isMoved = result.next !== undefined && !this.#isPassedOn;
    if (this.#state === 'held') await this.#release(isMoved ? this.#lookInCase() : this.#look);
    const known = this.#isRepeat ? nothing : { ours: this.#ours(), seen: this.#seen().at(0) };
    const news = [...this.#news, ...this.#pending.versions];
    const again = followUp(result.next ?? this.#standing, news, known);
    // The next step reads by itself what has no version.
    if (again === undefined || (result.next !== undefined && again.resourceVersion === undefined))
      return result;
    return { ...result, next: again };
  }

  /** The step has failed. It is due as before, or as if its command were lost. */
  async fail(): Promise<void> {
    const isTaken = await this.#taking.then(
      (before) => before !== undefined,
      () => false,
    );
    if (!isTaken || this.#state === 'left') return;
    if (this.#state === 'held') await this.#release(this.#lookAfterFailure(), []);
    const { clock, store } = this.#env;
    const { machine } = this.#standing;
    if (this.#news.length + this.#pending.versions.length > 0)
      await store.schedule({ machine, at: clock.now(), failures: 0, isOfDeletion: true });
  }

  async #take(command: Advance): Promise<BeforeClaim | undefined> {
    const { store, cache, clock, instance } = this.#env;
    const { machine, resourceVersion } = command;
    const known = Number(cache.machine(machine.uid)?.raw.metadata.resourceVersion ?? 0);
    // A wake-up is no news of the Machine itself: it names the version that it waited with.
    const version = Number(resourceVersion) > known ? versionToReport(resourceVersion) : undefined;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const at = clock.now();
      const claim: Claim = { machine, by: instance, at, until: at + claimMilliseconds };
      const claimed = await store.claim(claim);
      if (claimed.kind === 'taken') {
        this.#look = claimed.before.look;
        const { before } = claimed;
        return { ...before, news: [...before.news, ...this.#pending.versions] };
      }
      // Leaves word even if the version is known here: perhaps no instance has taken the command's step yet.
      const word = command.isAnswer === true ? answered : version;
      if ((await store.hear(machine.uid, word)) === 'noted') {
        this.#env.log.debug('Another instance takes a step of this Machine');
        return undefined;
      }
    }
    const { namespace, name } = machine;
    throw new Unavailable(`Machine ${namespace}/${name} is looked at by other instances each time`);
  }

  /** Whether the claim was still there. A version that a failed step has seen is still news. */
  async #release(look: Requeue | undefined, seen: readonly string[] = this.#seen()): Promise<boolean> {
    this.#state = 'released';
    const { store, instance: by } = this.#env;
    const { machine } = this.#standing;
    const before = await this.#taking;
    const ours = knownVersions(before?.ours ?? [], this.#ours(), seen);
    const released = await store.release({ machine, by, ours, ...(look && { look }) });
    if (released.kind === 'lost') return false;
    this.#news = released.news;
    return true;
  }

  #ours(): readonly string[] {
    return ownWrites(this.#env.cache, this.#standing.machine.uid);
  }

  /** The version that the step saw last, if any. */
  #seen(): readonly string[] {
    const { resourceVersion } = this.#env.cache.machine(this.#standing.machine.uid)?.raw.metadata ?? {};
    return resourceVersion === undefined ? [] : [resourceVersion];
  }

  /** In case the next command is lost. */
  #lookInCase(): Requeue {
    const { clock, settings } = this.#env;
    const at = clock.now() + settings.requeueAfterSeconds * 1_000;
    return { machine: this.#standing.machine, at, failures: 0, isProvisional: true, isOfDeletion: true };
  }

  #lookAfterFailure(): Requeue {
    const inCase = this.#lookInCase();
    const before = this.#look;
    return before?.isOfDeletion === true && before.at <= inCase.at ? before : inCase;
  }
}

/** Runs a step under a claim on its Machine, across all instances. A Machine that is known to be gone needs no step. */
export async function withClaim(
  env: Environment,
  command: Advance,
  pending: Pick<Pending, 'versions'>,
  step: (claim: StepClaim) => Promise<StepResult>,
): Promise<StepResult> {
  if (env.cache.isGone(command.machine.uid)) return { facts: [] };
  const claim = new StepClaim(env, command, pending);
  try {
    return await claim.end(await step(claim));
  } catch (error) {
    await claim.fail();
    throw error;
  }
}
