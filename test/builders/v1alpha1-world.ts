import type {
  Actuator,
  ActuatorAnswer,
  ActuatorReport,
  ActuatorTarget,
  DeleteAnswer,
  Existence,
} from '../../shared/actuator/port.ts';
import { resourceOf } from '../../shared/dialects/dialect.ts';
import { originalApi } from '../../shared/dialects/v1alpha1/index.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Environment } from '../../shared/runtime/environment.ts';
import { aControlPlaneOriginal, anOriginalCluster, aRawOriginal } from './v1alpha1.ts';
import { aWorld, type World } from './world.ts';

interface Answers {
  exists: Existence;
  create: ActuatorAnswer;
  update: ActuatorAnswer;
  delete: DeleteAnswer;
}

/** A provider with its servers in memory. What it is asked is noted in the world's log too. */
class MemoryCloud implements Actuator {
  /** UIDs of Machines. */
  readonly servers = new Set<string>();
  readonly asked: string[] = [];
  readonly targets: ActuatorTarget[] = [];
  /** What create and update report. */
  report: ActuatorReport = {};
  readonly #log: string[];
  readonly #instead = new Map<keyof Answers, (() => unknown)[]>();

  constructor(log: string[]) {
    this.#log = log;
  }

  /** What is done first; its answer, if it gives one, is the provider's. */
  next<K extends keyof Answers>(
    operation: K,
    ...runs: (() => Answers[K] | void | Promise<Answers[K] | void>)[]
  ): void {
    this.#instead.set(operation, [...(this.#instead.get(operation) ?? []), ...runs]);
  }

  async exists(target: ActuatorTarget): Promise<Existence> {
    const uid = this.#note('exists', target);
    return this.#answer('exists', () => (this.servers.has(uid) ? { kind: 'exists' } : { kind: 'absent' }));
  }

  async create(target: ActuatorTarget): Promise<ActuatorAnswer> {
    const uid = this.#note('create', target);
    return this.#answer('create', () => {
      this.servers.add(uid);
      return { kind: 'done', report: this.report };
    });
  }

  async update(target: ActuatorTarget): Promise<ActuatorAnswer> {
    this.#note('update', target);
    return this.#answer('update', () => ({ kind: 'done', report: this.report }));
  }

  async delete(target: ActuatorTarget): Promise<DeleteAnswer> {
    const uid = this.#note('delete', target);
    return this.#answer('delete', () => {
      this.servers.delete(uid);
      return { kind: 'accepted' };
    });
  }

  #note(what: string, target: ActuatorTarget): string {
    const { name, uid = '' } = target.machine.metadata;
    this.asked.push(`${what} ${name}`);
    this.#log.push(`${what} ${name}`);
    this.targets.push(target);
    return uid;
  }

  async #answer<T>(operation: keyof Answers, usual: () => T): Promise<T>;
  async #answer(operation: keyof Answers, usual: () => unknown): Promise<unknown> {
    const instead = await this.#instead.get(operation)?.shift()?.();
    return instead ?? usual();
  }
}

export interface OriginalWorld extends World {
  cloud: MemoryCloud;
}

/**
 * A Machine of v1alpha1 in cluster `c`, its server, and the workload cluster with its Node. The cluster has three
 * control plane Machines besides. Ten seconds after the deletion, where there is one.
 */
export function anOriginalWorld(
  machine: KubeObject = aRawOriginal(),
  settings: Partial<Environment['settings']> = {},
): OriginalWorld {
  const world = aWorld(machine, settings);
  const cloud = new MemoryCloud(world.log);
  cloud.servers.add('uid-1');
  world.management.put('clusters', anOriginalCluster());
  for (const name of ['cp-1', 'cp-2', 'cp-3']) world.management.put('machines', aControlPlaneOriginal(name));
  world.management.discover = async (group, kind) =>
    group === originalApi.group && kind === 'Machine' ? resourceOf(originalApi, 'v1alpha1') : undefined;
  const withCloud = (env: Environment): Environment =>
    Object.assign(env, { actuator: cloud, dialects: [originalApi] });
  return { ...world, cloud, env: withCloud(world.env), another: () => withCloud(world.another()) };
}

/** Kubernetes Events, as `type reason: message`. */
export async function eventsIn({ management }: World): Promise<string[]> {
  const { items } = await management.list({ group: '', version: 'v1', plural: 'events' });
  return items.map(({ type, reason, message }) => `${String(type)} ${String(reason)}: ${String(message)}`);
}

/** Has every pause be over as soon as it begins. Answers with how long they were to be, in milliseconds. */
export function withoutPauses({ env }: Pick<OriginalWorld, 'env'>): number[] {
  const pauses: number[] = [];
  const after = (milliseconds: number, run: () => void) => {
    pauses.push(milliseconds);
    run();
    return () => undefined;
  };
  env.clock = { ...env.clock, after };
  return pauses;
}
