import type { ChangeEvent } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { readDeclaredFunctions } from '../../../infra/local/platform/declared-functions.ts';
import { createCloud } from '../../../infra/local/provider/cloud.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { resourceOf } from '../../../shared/dialects/dialect.ts';
import type { Config } from '../../../shared/runtime/config.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { management, openClusters, type SimulatedCluster } from '../../simulation/platform/clusters.ts';
import { kubeConfig } from '../../simulation/platform/connection.ts';
import { Crew } from '../../simulation/platform/crew.ts';
import { Eventing } from '../../simulation/platform/eventing.ts';
import type { SimulatedInstance } from '../../simulation/platform/instance.ts';
import { createRandom, type Random } from '../../simulation/random.ts';
import { Scheduler } from '../../simulation/scheduler.ts';
import { createSimulatedStoreClient } from '../../simulation/store/client.ts';
import { createSimulatedTable } from '../../simulation/store/table.ts';
import { BusyServer } from './busy-server.ts';
import { configFor } from './config.ts';
import { constants } from './constants.ts';
import { ControllersClock } from './controllers-clock.ts';
import { Cores } from './cores.ts';
import { CountedInstance } from './instance.ts';
import { without } from './mends.ts';
import { Others } from './others.ts';
import { Peer } from './peer/peer.ts';
import type { BusyProcess } from './process.ts';
import { BusyProcesses } from './processes.ts';
import type { Setting } from './setting.ts';
import { Steps } from './steps.ts';
import { Tally } from './tally.ts';
import { withDeadLetters } from './triggers.ts';
import { type BusyWire, createBusyWire } from './wire.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

const machineApi = {
  dialect: clusterApi,
  apiVersion: `${clusterApi.group}/v1beta2`,
  resource: resourceOf(clusterApi, 'v1beta2'),
};
/** Where the simulation's Broker finds functions. */
const services = 'http://functions';
const file = withDeadLetters(await readDeclaredFunctions([machineApi]), services);

/** A fleet's cluster, Broker, source, table and instances, whose CPU is that of one computer. */
export class ScaleWorld {
  readonly scheduler: Scheduler;
  readonly cores: Cores;
  readonly management: SimulatedCluster;
  readonly server: BusyServer;
  readonly tally = new Tally();
  readonly steps = new Steps();
  /** What controllers of the local platform could not do. */
  readonly complaints: string[] = [];
  readonly #complain = (what: string): void => void this.complaints.push(what);
  /** Cluster API's own controller, in mode beside. */
  readonly peer: Peer | undefined;
  readonly #others: Others;
  readonly #unwatch: (() => void)[] = [];
  readonly #clock: ControllersClock;
  readonly #random: Random;
  readonly #setting: Setting;
  readonly #processes: BusyProcesses;
  readonly #wires = new Set<BusyWire>();
  readonly #table = createSimulatedTable();
  readonly #config: Config;
  readonly #crew: Crew;
  readonly #eventing: Eventing;

  constructor(setting: Setting) {
    const { mode, plane, slowLists, seed, slowness } = setting;
    this.#setting = setting;
    const random = createRandom(seed);
    this.#random = random;
    const scheduler = new Scheduler(start, random.fork('order'));
    this.scheduler = scheduler;
    this.#clock = new ControllersClock(scheduler);
    this.#config = configFor(mode, plane);
    this.management = this.#openCluster();
    this.cores = new Cores(scheduler, constants.cores, constants.planes[plane].slowness * slowness);
    const { cores } = this;
    this.server = new BusyServer({ server: this.management.server, clock: scheduler, cores, slowLists });
    this.#processes = new BusyProcesses({ scheduler, cores, plane });
    this.#crew = new Crew({
      size: setting.instances,
      begin: () => this.#newInstance(),
      isKeptAway: () => false,
      gone: () => undefined,
    });
    this.#eventing = this.#openEventing();
    const { cluster } = this.management;
    const isCounting = (): boolean => this.tally.isCounting;
    this.#others = new Others({ cores, server: this.server, cluster, isCounting });
    const { server, scheduler: clock } = this;
    this.peer =
      mode === 'beside' ? new Peer({ clock, cores, server, cluster, report: this.#complain }) : undefined;
    this.#clock.turn = () => this.#others.turn();
  }

  /** From now on functions are there and events arrive. */
  begin(): void {
    for (let index = 0; index < this.#setting.instances; index += 1) this.#crew.start();
    this.#eventing.start();
  }

  /** Reports every change of these objects, until the end. */
  watch(resource: string, listener: (event: ChangeEvent) => void): void {
    this.#unwatch.push(this.management.cluster.watch(resource, listener));
  }

  /** What is left of it after its end. */
  get remains(): object {
    return { cluster: this.management, table: this.#table };
  }

  /** Ends all but the cluster and the table, which let go of the rest. */
  end(): void {
    for (const unwatch of this.#unwatch) unwatch();
    this.#others.end();
    this.peer?.end();
    this.#clock.stop();
    this.#eventing.stop();
    this.#crew.end();
    for (const wire of this.#wires) wire.die();
    this.management.stop();
    this.#eventing.forget();
  }

  #openCluster(): SimulatedCluster {
    const cloud = createCloud({ clock: this.#clock, random: this.#random.fork('cloud') });
    const opened = openClusters(
      { workloads: [] },
      {
        clock: this.#clock,
        cloud,
        random: this.#random,
        report: this.#complain,
        podStartSeconds: constants.others.podStartSeconds,
      },
    ).get(management);
    if (opened === undefined) throw new Error('there is no cluster');
    return opened;
  }

  #openEventing(): Eventing {
    const processes = this.#processes;
    // A gateway of several threads takes them in no order.
    const route = this.#random.fork('gateway');
    return new Eventing({
      file,
      random: this.#random.fork('events'),
      newBroker: () => processes.broker(),
      newSource: () => processes.source(),
      end: (strand) => strand.die(),
      api: (strand) => connect(kubeConfig, { clock: strand, carry: this.#wire(processes.source()).carry }),
      cluster: this.management.cluster,
      fate: () => 'arrives',
      seen: () => processes.takeIn(),
      replied: () => undefined,
      instance: () => route.oneOf(this.#crew.serving()),
      refused: this.#complain,
    });
  }

  #newInstance(): SimulatedInstance {
    const strand = this.#processes.instance();
    const { name } = strand;
    const store = createSimulatedStoreClient(this.#table, {
      clock: strand,
      async step(label) {
        await strand.step(label);
        await strand.step('the table');
      },
      faults: () => 'none',
    });
    const parts = {
      strand,
      random: this.#random.fork(name),
      log: silent,
      tracing: this.steps.tracingOf(this.scheduler),
      config: this.#config,
      connection: { carry: this.#wire(strand).carry },
      store,
      fetch: () => Promise.reject(new Error('there is no provider')),
      post: this.#eventing.post(strand),
      answered: () => undefined,
    };
    const instance = new CountedInstance(parts, (status) => this.tally.delivered(status));
    without(instance.environment, this.#setting.without);
    return instance;
  }

  #wire(process: BusyProcess): BusyWire {
    const wire = createBusyWire({ process, server: this.server, listener: this.tally });
    this.#wires.add(wire);
    return wire;
  }
}
