import type { Cluster } from '../../infra/local/kubernetes/objects/cluster.ts';
import { type Cloud, createCloud } from '../../infra/local/provider/cloud.ts';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import { type Config, readConfig } from '../../shared/runtime/config.ts';
import { createMeddlers, type Meddlers } from './meddlers.ts';
import { Addresses } from './platform/addresses.ts';
import { management, openClusters, type SimulatedCluster } from './platform/clusters.ts';
import { kubeConfig } from './platform/connection.ts';
import { Crew } from './platform/crew.ts';
import { declared } from './platform/declared.ts';
import { Eventing } from './platform/eventing.ts';
import type { HookFunctions } from './platform/functions/functions.ts';
import { openFunctions } from './platform/functions/open.ts';
import { startDeadMan } from './platform/hook-watchdog.ts';
import type { SimulatedInstance } from './platform/instance.ts';
import { newInstance } from './platform/new-instance.ts';
import { Processes } from './platform/processes.ts';
import { providerUrl } from './platform/provider.ts';
import { openProviderDesk, type ProviderDesk } from './platform/provider-desk.ts';
import type { Random } from './random.ts';
import { Scheduler } from './scheduler.ts';
import { createSimulatedTable, type SimulatedTable } from './store/table.ts';
import { Watched } from './watched.ts';
import type { SimulatedWire } from './wire/wire.ts';
import type { WorldParts } from './world-parts.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

const usual = readConfig({ PHASEOUT_ACTUATOR_URL: providerUrl });

/** All there is: clusters, provider, table, Broker, sources and instances, under one scheduler. */
export class World extends Watched {
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly clusters: ReadonlyMap<string, SimulatedCluster>;
  readonly addresses: Addresses;
  readonly cloud: Cloud;
  readonly table: SimulatedTable = createSimulatedTable();
  readonly eventing: Eventing;
  /** The functions of the DeletionHooks. */
  readonly functions: HookFunctions;
  readonly meddlers: Meddlers = createMeddlers((error) => this.mistaken(error));
  /** How instances that begin from now on are configured. */
  config: Config;
  /** What the provider wants to be shown; undefined where it answers everybody. */
  providerToken: string | undefined;
  /** When phaseout began. */
  began = 0;
  /** How often a fault has struck. */
  hits = 0;
  readonly #parts: WorldParts;
  readonly #crew: Crew;
  readonly #processes: Processes;
  readonly #provider: ProviderDesk;

  constructor(parts: WorldParts) {
    super();
    const { random, config, instances, services } = parts;
    this.#parts = parts;
    this.random = random;
    this.config = { ...usual, ...config };
    this.providerToken = this.config.actuatorSecret && 'token-1';
    const scheduler = new Scheduler(start, random.fork('order'));
    this.scheduler = scheduler;
    this.cloud = createCloud({ clock: scheduler, random: random.fork('cloud') });
    const token = (): string | undefined => this.providerToken;
    this.#provider = openProviderDesk({ cloud: this.cloud, clock: scheduler, token });
    this.clusters = openClusters(parts, {
      clock: scheduler,
      cloud: this.cloud,
      random,
      report: (what) => this.violate('controllers', what),
    });
    this.addresses = new Addresses(this.clusters);
    const { meddlers, addresses } = this;
    this.#processes = new Processes({
      ...parts,
      scheduler,
      meddlers,
      addresses,
      tell: this.tell,
      defect: (error) => this.mistaken(error),
    });
    this.#crew = new Crew({
      size: instances,
      ...(services !== undefined && { services }),
      begin: () => this.#newInstance(),
      isKeptAway: () => meddlers.keepsInstancesAway(),
      gone: ({ strand }) => this.#processes.end(strand),
    });
    this.functions = openFunctions(this, parts.deletionHooks);
    this.eventing = this.#openEventing();
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

  /** The wires of instances and sources that are there, by name. */
  get wires(): ReadonlyMap<string, SimulatedWire> {
    return this.#processes.wires;
  }

  /** Those that events are sent to. */
  instances(): readonly SimulatedInstance[] {
    return this.#crew.serving();
  }

  /** Also those that are asked to end. */
  isEverybodyAwake(): boolean {
    return this.#crew.all().every(({ strand }) => strand.wakesAt <= this.now());
  }

  /** From now on functions are there and events arrive; nothing arrives about what exists already. */
  begin(): void {
    this.began = this.now();
    for (let index = 0; index < this.#parts.instances; index += 1) this.startInstance();
    this.eventing.start();
    this.#startDeadMan();
  }

  startInstance(): SimulatedInstance {
    return this.#crew.start();
  }

  /** Ends an instance in the middle of whatever it does. */
  kill(instance: SimulatedInstance): void {
    this.#crew.kill(instance);
  }

  /** Asks an instance to end. It gets no more requests, and may finish what it has begun. */
  retire(instance: SimulatedInstance): void {
    this.#crew.retire(instance);
  }

  /** A fault has struck: this instance, or all of them. `phases`: those that it struck if not what they do now. */
  hit(fault: string, instance?: string, phases?: readonly string[]): void {
    this.hits += 1;
    const struck = this.#crew.all().filter(({ name }) => instance === undefined || name === instance);
    const now = phases ?? struck.flatMap((one) => one.steps().map(({ phase }) => phase));
    this.tell((observer) => observer.hit?.(fault, now, instance));
  }

  /** Nothing goes wrong any more. */
  calm(): void {
    this.meddlers.clear();
    this.tell((observer) => observer.calm?.());
  }

  end(): void {
    this.tell((observer) => observer.ended?.());
    this.eventing.stop();
    this.#crew.end();
    for (const cluster of this.clusters.values()) cluster.stop();
    this.cloud.close();
    this.eventing.forget();
  }

  #startDeadMan(): void {
    const { deadManMilliseconds: firstMilliseconds } = this.#parts;
    if (firstMilliseconds === undefined) return;
    startDeadMan({
      processes: this.#processes,
      firstMilliseconds,
      after: (milliseconds, run) => this.scheduler.after(milliseconds, run),
      defect: (error) => this.mistaken(error),
    });
  }

  #openEventing(): Eventing {
    const { random, version = 'v1beta2', services = 1 } = this.#parts;
    return new Eventing({
      file: declared(version, this.#parts),
      random: random.fork('events'),
      newBroker: () => this.#processes.start('broker'),
      newSource: () => this.#processes.start('source'),
      end: (strand) => this.#processes.end(strand),
      api: (strand) => connect(kubeConfig, this.#processes.connect(strand)),
      cluster: this.management,
      hooks: this.functions.asHost(),
      fate: (passage) => this.meddlers.event(passage) ?? 'arrives',
      sent: (event) => this.tell((observer) => observer.sent?.(event)),
      seen: (event) => this.tell((observer) => observer.event?.(event)),
      replied: (reply, event) => this.tell((observer) => observer.replied?.(reply, event)),
      instance: (index) => this.#crew.next(index % services),
      refused: (why) => this.violate('refused events', why),
    });
  }

  #newInstance(): SimulatedInstance {
    const strand = this.#processes.start('instance');
    const { random, config, meddlers, table, eventing } = this;
    const connection = this.#processes.connect(strand);
    const provider = this.#provider;
    const common = { strand, config, meddlers, table, provider, tell: this.tell, connection };
    return newInstance({ ...common, random: random.fork(strand.name), post: eventing.post(strand) });
  }
}
