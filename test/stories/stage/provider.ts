import { type Cloud, createCloud, type Server } from '../../../infra/local/provider/cloud.ts';
import type { Operation } from '../../../shared/actuator/contract.ts';
import type { Actuator, ActuatorTarget } from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';

export interface ProviderCall extends ActuatorTarget {
  operation: Operation;
}

type AnswerTo<O extends Operation> = Awaited<ReturnType<Actuator[O]>>;
export type ProviderAnswer = AnswerTo<Operation>;

type Scripted<O extends Operation> = (target: ActuatorTarget) => AnswerTo<O> | 'unreachable' | undefined;
/** What becomes of calls in place of the cloud's own answer; undefined leaves one to the cloud. */
export type Script = { [O in Operation]?: Scripted<O> };

export interface ProviderParts {
  clock: Clock;
  latency: () => number;
  /** Called with every answer, before the caller learns of it; undefined for none. */
  answered: (call: ProviderCall, answer: ProviderAnswer | undefined) => void;
}

/** The instance that asks. */
export interface Caller {
  isAlive(): boolean;
  /** Whether and when it learns of an answer. */
  learns(): Promise<void> | undefined;
}

/** The slow cloud of the local platform, on the story's clock; each of its servers takes two seconds to stop. */
export class StagedProvider {
  readonly cloud: Cloud;
  readonly #parts: ProviderParts;
  readonly #scripts = new Set<Script>();

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    this.cloud = createCloud({ clock: parts.clock, random: () => 0.5 });
  }

  /** The returned function ends it. */
  answers(script: Script): () => void {
    this.#scripts.add(script);
    return () => void this.#scripts.delete(script);
  }

  serverOf({ metadata: { uid } }: KubeObject): Server | undefined {
    return this.cloud.servers().find(({ machine }) => machine.uid === uid);
  }

  /** The provider as one instance sees it. */
  actuator(caller: Caller): Actuator {
    const asked =
      <O extends Operation>(operation: O, ask: (target: ActuatorTarget) => Promise<AnswerTo<O>>) =>
      (target: ActuatorTarget) =>
        this.#ask(operation, target, caller, ask);
    const { cloud } = this;
    return {
      exists: asked('exists', (target) => cloud.exists(target)),
      create: asked('create', (target) => cloud.create(target)),
      update: asked('update', (target) => cloud.update(target)),
      delete: asked('delete', (target) => cloud.delete(target)),
    };
  }

  async #ask<O extends Operation>(
    operation: O,
    target: ActuatorTarget,
    caller: Caller,
    ask: (target: ActuatorTarget) => Promise<AnswerTo<O>>,
  ): Promise<AnswerTo<O>> {
    const call = { operation, ...target };
    await this.#pause(this.#parts.latency());
    if (!caller.isAlive()) throw unreachable(operation);
    const scripted = this.#scripted(operation, target);
    const answer = scripted === 'unreachable' ? undefined : (scripted ?? (await ask(target)));
    this.#parts.answered(call, answer);
    await caller.learns();
    if (answer === undefined) throw unreachable(operation);
    return answer;
  }

  #scripted<O extends Operation>(
    operation: O,
    target: ActuatorTarget,
  ): AnswerTo<O> | 'unreachable' | undefined {
    for (const script of this.#scripts) {
      const found = script[operation]?.(target);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #pause(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return Promise.resolve();
    return new Promise((resolve) => this.#parts.clock.after(milliseconds, resolve));
  }
}

const unreachable = (operation: Operation): Unavailable =>
  new Unavailable(`POST http://provider/v1/${operation}: connect ECONNREFUSED`);
