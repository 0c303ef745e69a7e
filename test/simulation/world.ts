import type { Cluster } from '../../infra/local/kubernetes/cluster.ts';
import { type Cloud, createCloud } from '../../infra/local/provider/cloud.ts';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { type Config, readConfig } from '../../shared/runtime/config.ts';
import { kubeconfigOf } from '../stories/stage/carriage.ts';
import { createMeddlers, type Meddlers } from './meddlers.ts';
import type { Observer } from './observer.ts';
import { management, openCluster, type SimulatedCluster } from './platform/clusters.ts';
import { openConnection } from './platform/connection.ts';
import { declared } from './platform/declared.ts';
import { Eventing } from './platform/eventing.ts';
import { SimulatedInstance } from './platform/instance.ts';
import { simulatedLog } from './platform/log.ts';
import { providerFor } from './platform/provider.ts';
import type { Random } from './random.ts';
import { Scheduler, Strand } from './scheduler.ts';
import { createSimulatedStoreClient } from './store/client.ts';
import { createSimulatedTable, type SimulatedTable } from './store/table.ts';
import type { SimulatedWire } from './wire/wire.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

const usual = readConfig({});

/** What a world is made with. */
export interface WorldParts {
  random: Random;
  /** Names of the workload clusters. */
  workloads: readonly string[];
  /** The only version of Cluster API that is served; the newest one is watched if it is not given. */
  version?: 'v1beta1' | 'v1beta2';
  instances: number;
  config: Partial<Config>;
  /** The longest that a step usually takes, in milliseconds. */
  latencyMilliseconds: number;
}

/** All there is: clusters, provider, table, Broker, sources and instances, under one scheduler. */
export class World {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly clusters: ReadonlyMap<string, SimulatedCluster>;
  readonly cloud: Cloud;
  readonly table: SimulatedTable = createSimulatedTable();
  readonly eventing: Eventing;
  readonly meddlers: Meddlers = createMeddlers();
  readonly observers: Observer[] = [];
  /** What must never happen and has; the first one counts. */
  readonly violations: string[] = [];
  /** How instances that begin from now on are configured. */
  config: Config;
  /** The wires of instances and sources that are there, by name. */
  readonly wires = new Map<string, SimulatedWire>();
  /** When phaseout began. */
  began = 0;
  readonly #parts: WorldParts;
  #instances: SimulatedInstance[] = [];
  #started = 0;
  #turn = 0;

  constructor(parts: WorldParts) {
    const { random, workloads, version, config } = parts;
    this.#parts = parts;
    this.random = random;
    this.config = { ...usual, ...config };
    this.scheduler = new Scheduler(start, random.fork('order'));
    const clock = this.scheduler;
    this.cloud = createCloud({ clock, random: random.fork('cloud') });
    const report = (what: string): void => this.violate('controllers', what);
    this.clusters = new Map(
      [management, ...workloads].map((host) => {
        const common = { clock, random: random.fork(host), cloud: this.cloud, report };
        return [host, openCluster(host, version === undefined ? common : { ...common, version })];
      }),
    );
    this.eventing = new Eventing({
      file: declared[version ?? 'v1beta2'],
      random: random.fork('events'),
      newBroker: () => this.#strand('broker'),
      newSource: () => this.#strand('source'),
      api: (strand) => connect(loadKubeConfig({ text: kubeconfigOf(management) }), this.#connection(strand)),
      cluster: this.management,
      fate: (passage) => this.meddlers.event(passage) ?? 'arrives',
      seen: (event) => this.#tell((observer) => observer.event?.(event)),
      instance: () => this.#next(),
      refused: (why) => this.violate('refused events', why),
    });
  }

  get management(): Cluster {
    return this.cluster(management);
  }

  /** Throws where there is none of that name. */
  cluster(host: string): Cluster {
    const found = this.clusters.get(host);
    if (found === undefined) throw new Error(`no cluster ${host}`);
    return found.cluster;
  }

  now(): number {
    return this.scheduler.now();
  }

  instances(): readonly SimulatedInstance[] {
    return this.#instances.filter(({ strand }) => !strand.isDead);
  }

  /** From now on functions are there and events arrive; nothing is told of what exists already. */
  begin(): void {
    this.began = this.now();
    for (let index = 0; index < this.#parts.instances; index += 1) this.startInstance();
    this.eventing.start();
  }

  startInstance(): SimulatedInstance {
    const strand = this.#strand('instance');
    const instance = new SimulatedInstance({
      strand,
      random: this.random.fork(strand.name),
      log: simulatedLog((level, message, fields) =>
        this.#tell((observer) => observer.logged?.(strand.name, level, message, fields)),
      ),
      config: this.config,
      connection: this.#connection(strand),
      store: createSimulatedStoreClient(this.table, {
        step: (label) => strand.step(label),
        clock: strand,
        faults: (command) => this.meddlers.store({ instance: strand.name, ...command }) ?? 'none',
      }),
      actuator: providerFor(strand, {
        cloud: this.cloud,
        fate: (call) => this.meddlers.provider(call) ?? 'answers',
        seen: (call, answer) => this.#tell((observer) => observer.provider?.(call, answer)),
      }),
      post: this.eventing.post(strand),
    });
    this.#instances.push(instance);
    return instance;
  }

  /** Ends an instance in the middle of whatever it does; what it sent is on its way. */
  kill(instance: SimulatedInstance): void {
    instance.die();
    this.wires.get(instance.name)?.die();
    this.#instances = this.#instances.filter((other) => other !== instance);
  }

  /** Says what somebody beside phaseout did. */
  say(who: string, what: string): void {
    this.#tell((observer) => observer.said?.(who, what));
  }

  /** A fault has struck; `instance`: whom. */
  hit(fault: string, instance?: string): void {
    const struck = this.#instances.filter(({ name }) => instance === undefined || name === instance);
    const phases = struck.flatMap((one) => one.steps().map(({ phase }) => phase));
    this.#tell((observer) => observer.hit?.(fault, phases));
  }

  violate(invariant: string, what: string): void {
    this.violations.push(`${invariant}: ${what}`);
  }

  /** Nothing goes wrong any more. */
  calm(): void {
    this.meddlers.clear();
    this.#tell((observer) => observer.calm?.());
  }

  /** Whatever could go has gone; what is left is held by something that only somebody else can take away. */
  standStill(): void {
    this.#tell((observer) => observer.stoodStill?.());
  }

  /** Nothing is being deleted any more, and everything has had time to settle. */
  quiet(): void {
    this.#tell((observer) => observer.quiet?.());
  }

  end(): void {
    this.#tell((observer) => observer.ended?.());
    this.eventing.stop();
    for (const instance of this.#instances) instance.die();
    for (const { stop } of this.clusters.values()) stop();
    this.cloud.close();
  }

  /** In the place of one that has died another one begins, unless somebody keeps them away. */
  #next(): SimulatedInstance | undefined {
    if (this.meddlers.keepsInstancesAway()) return undefined;
    while (this.instances().length < this.#parts.instances) this.startInstance();
    this.#turn += 1;
    const there = this.instances();
    return there[this.#turn % there.length];
  }

  #connection(strand: Strand) {
    const { clusters, meddlers } = this;
    const tell = (one: (observer: Observer) => void): void => this.#tell(one);
    const { wire, options } = openConnection({ strand, clusters, meddlers, tell });
    this.wires.set(strand.name, wire);
    return options;
  }

  #strand(kind: string): Strand {
    this.#started += 1;
    const name = `${kind}-${this.#started}`;
    const random = this.random.fork(`latency of ${name}`);
    const { latencyMilliseconds } = this.#parts;
    return new Strand(name, this.scheduler, () => Math.floor(random() * latencyMilliseconds));
  }

  #tell(tell: (observer: Observer) => void): void {
    for (const observer of this.observers) tell(observer);
  }
}
