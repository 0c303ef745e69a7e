import { type ControllerOptions, startControllers } from '../../../infra/local/controllers/index.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import type { Answer } from '../../../shared/adapters/kubernetes/request.ts';
import type { BinaryMessage } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { Config } from '../../../shared/runtime/config.ts';
import { type InstanceLog, silent } from '../../../shared/runtime/log.ts';
import { settled, VirtualClock } from '../../golden/kubernetes/virtual-clock.ts';
import { apisOf, machinesIn } from './apis.ts';
import { Broker, type BrokerParts } from './broker.ts';
import type { Carried, Failure } from './carriage.ts';
import type { Carrier } from './carrier.ts';
import { type Conditions, seeded } from './conditions.ts';
import { HookFunctions } from './hook-functions.ts';
import { Identities, lacking, serverAs } from './identities.ts';
import { type InstanceParts, Instances } from './instances.ts';
import { StagedProvider } from './provider.ts';
import { Safety } from './safety.ts';
import { aStore, type StagedStore } from './store.ts';
import { Told } from './told.ts';
import { isForbiddenWhileWatching } from './watching.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const longestMilliseconds = 4 * 60 * 60_000;

type ControllerName = NonNullable<ControllerOptions['only']>[number];

const controllerNames: readonly ControllerName[] = [
  ...([
    'garbage-collector',
    'namespace',
    'service-account',
    'disruption',
    'replicaset',
    'daemonset',
  ] as const),
  ...([
    'pod-garbage',
    'node-taints',
    'volume-attachment',
    'volume-protection',
    'scheduler',
    'kubelet',
  ] as const),
  ...(['infrastructure', 'server-power'] as const),
];

export interface StageParts {
  definitions: readonly KubeObject[];
  /** Controllers that do not run. */
  without?: readonly ControllerName[];
  /** Controllers that run in few stories only, from when the scene is set. */
  also?: readonly ControllerName[];
  /** Where Machines may come to be. */
  namespaces?: readonly string[];
  /** Whether our instances look after the Machines of the whole cluster, wherever these are. */
  everywhere?: boolean;
  /** The Node that our instances run on. */
  ownNode?: string;
  /** The watch filter that our instances are given. */
  watchFilter?: string;
  /** `namespace/name` of the PingSource that our instances put to rest. */
  duePingSource?: string;
  /** What else our instances are given. */
  configured?: Partial<Config>;
  /** Variables that the roles follow. */
  environment?: Record<string, string>;
  /** What carries events instead of the stage's own Broker, which loses and delays what the conditions say. */
  carrier?: (parts: BrokerParts) => Carrier;
}

/** The Secret that the roles allow to read. */
const hookKeyIn = ([first]: string[]) => (first === undefined ? {} : { hookKey: `${first}/hook-key` });

/** No step takes longer than its claim lasts. */
const isQuick = ({ latencyMilliseconds = 0 }: Conditions): boolean => latencyMilliseconds <= 1_000;

/** An API server with controllers, our functions and what carries events to them, under one clock that stands still. */
export class Stage {
  readonly clock = new VirtualClock(start);
  readonly server: ApiServer;
  readonly told = new Told(() => this.clock.now());
  readonly hookFunctions = new HookFunctions(this.told, this.clock);
  readonly safety: Safety;
  readonly provider: StagedProvider;
  readonly stored: StagedStore;
  /** Requests of our instances, oldest first, with the code of their answer. */
  readonly requests: (Carried & { code: number })[] = [];
  /** How often the provider was asked. */
  calls = 0;
  /** Whatever must not happen in any story. */
  readonly problems: string[] = [];
  /** Lines of the log that ask for attention. */
  readonly warnings: string[] = [];
  /** Our instances have the rendered roles. */
  readonly identities = new Identities(
    (refused) => void this.problems.push(`not permitted: ${lacking(refused)}`),
  );
  readonly #conditions: Conditions;
  #configured: Partial<Config>;
  #environment: Record<string, string>;
  readonly #namespaces: readonly string[];
  readonly #isEverywhere: boolean;
  readonly #also: readonly ControllerName[];
  readonly #latency: () => number;
  readonly #failures = new Set<(request: Carried) => Failure | undefined>();
  readonly #unreachable = new Set<string>();
  readonly #carrier: Carrier;
  readonly #stopControllers: (() => void)[] = [];
  #instances: Instances | undefined;
  #random = seeded(1);

  constructor(conditions: Conditions, parts: StageParts) {
    const { clock } = this;
    const { definitions, without = [] } = parts;
    this.#also = parts.also ?? [];
    this.#namespaces = parts.namespaces ?? [];
    this.#isEverywhere = parts.everywhere ?? false;
    this.#conditions = conditions;
    this.#environment = parts.environment ?? {};
    const { ownNode = '', watchFilter = '', duePingSource } = parts;
    this.#configured = {
      ownNode,
      watchFilter,
      ...(duePingSource === undefined ? {} : { duePingSource }),
      ...parts.configured,
    };
    const { latencyMilliseconds = 0, seed = 0 } = conditions;
    const random = seeded(3 + seed);
    this.#latency = () => Math.floor(random() * latencyMilliseconds);
    this.provider = new StagedProvider({
      clock,
      latency: this.#latency,
      answered: (call, answer) => {
        this.calls += 1;
        this.told.provider(call, answer);
        this.safety.provider(call, answer);
      },
    });
    this.server = createApiServer({ clock, random: () => this.#random(), access: this.identities.access });
    for (const definition of definitions)
      this.create('customresourcedefinitions.apiextensions.k8s.io', definition);
    this.#startControllers(controllerNames.filter((name) => !without.includes(name)));
    const { provider } = this;
    this.stored = aStore(clock, conditions.storeIsDown ?? false);
    const isAlone = (): boolean =>
      (conditions.instances ?? 1) === 1 || (isQuick(conditions) && this.stored.isReliable);
    this.safety = new Safety({ cluster: this.server.cluster, clock, provider, isAlone }, this.problems);
    const carrier = parts.carrier ?? ((taken: BrokerParts) => new Broker(taken));
    this.#carrier = carrier({ ...this.#around(seeded(2 + seed)), instances: () => this.#running() });
  }

  /** The scene is set: from now on the story is written, and our functions are there. */
  begin(): void {
    const { cluster } = this.server;
    const { seed = 0 } = this.#conditions;
    this.#installRoles();
    for (const { machines } of apisOf(cluster)) {
      for (const machine of cluster.list(machines)) this.told.machine('ADDED', machine);
      cluster.watch(machines, ({ type, object }) => this.told.machine(type, object));
    }
    if (this.#also.length > 0) this.startAlso(this.#also);
    this.told.begin();
    const namespaces = this.#isEverywhere ? [] : this.#machineNamespaces();
    this.#instances = new Instances({
      ...this.#shared(seed),
      store: this.stored.store,
      configured: () => ({ ...this.#configured, ...hookKeyIn(this.#machineNamespaces()), namespaces }),
      publish: (message, origin) => this.#carrier.publish(message, origin),
    });
    this.#carrier.start();
  }

  /** Another installation of ours in the same cluster, with a Broker, a store and settings of its own. */
  installAnother(configured: Partial<Config>): void {
    const namespaces = this.#machineNamespaces();
    const broker = new Broker({ ...this.#around(seeded(5)), instances: () => others });
    const others: Instances = new Instances({
      ...this.#shared(6),
      store: aStore(this.clock, false).store,
      configured: () => ({ ...configured, namespaces }),
      publish: (message, origin) => broker.publish(message, origin),
    });
    this.#stopControllers.push(() => {
      broker.stop();
      others.stop();
    });
    broker.start();
  }

  restart(): void {
    this.#running().restart();
  }

  /** All instances go, and others with other settings begin, with the roles for these variables. */
  configure(configured: Partial<Config>, environment: Record<string, string>): void {
    this.#configured = { ...this.#configured, ...configured };
    this.#environment = environment;
    this.#installRoles();
    this.restart();
  }

  /** No instance of ours is there any more; the returned function ends it. */
  away(): () => void {
    return this.#running().leave();
  }

  /** The returned function stops them again. */
  startAlso(only: readonly ControllerName[]): () => void {
    return this.#startControllers(only);
  }

  /** One of our instances dies, in the middle of whatever it does. */
  killOne(random: () => number): void {
    this.#running().killOne(random);
  }

  /** Requests for which this answers something fail so; the returned function ends it. */
  fail(failure: (request: Carried) => Failure | undefined): () => void {
    this.#failures.add(failure);
    return () => void this.#failures.delete(failure);
  }

  /** No server listens at that host; the returned function ends it. */
  unreachable(host: string): () => void {
    this.#unreachable.add(host);
    return () => void this.#unreachable.delete(host);
  }

  create(resource: string, object: KubeObject): KubeObject {
    const created = this.server.cluster.create(resource, object);
    if (object['status'] === undefined) return created;
    return this.server.cluster.patch(resource, created, { status: object['status'] }, 'status');
  }

  /** An event comes to the Broker from elsewhere. */
  publish(message: BinaryMessage): void {
    void this.#carrier.publish(message, 'reply');
  }

  seconds(count: number): Promise<void> {
    return this.clock.advance(count * 1_000);
  }

  /** No identity may do that any more, such as `create pods/eviction`; the returned function ends it. */
  withdraw(deed: string): () => void {
    this.told.say(`nobody may ${deed}`);
    const giveBack = this.identities.withdraw(this.server, deed);
    return () => {
      this.told.say(`it is permitted to ${deed} again`);
      giveBack();
    };
  }

  /** Lets time go by until it is so. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    const limit = this.clock.now() + longestMilliseconds;
    do {
      await settled();
      if (isSo()) return;
    } while (this.clock.step(limit));
    throw new Error([`${what}: not within hours`, ...new Set(this.problems), this.told.text()].join('\n'));
  }

  /** Called for every request of ours. */
  protected answered(_request: Carried, _answer: Answer): void {}

  end(): void {
    this.#carrier.stop();
    this.#instances?.stop();
    for (const stop of this.#stopControllers) stop();
    this.provider.cloud.close();
  }

  /** What else is made in a story is the same with and without them. */
  #installRoles(): void {
    const { cluster } = this.server;
    const usual = this.#random;
    this.#random = seeded(9);
    this.identities.install(this.server, {
      machineApis: apisOf(cluster).map(({ name }) => name),
      namespaces: this.#machineNamespaces(),
      isEverywhere: this.#isEverywhere,
      environment: this.#environment,
    });
    this.#random = usual;
  }

  #machineNamespaces(): string[] {
    const spaces = machinesIn(this.server.cluster).map(({ metadata }) => metadata.namespace ?? '');
    return [...new Set([...this.#namespaces, ...spaces])];
  }

  /** What all installations have around them. */
  #around(random: () => number): Omit<BrokerParts, 'instances'> {
    return {
      clock: this.clock,
      server: this.server,
      random,
      conditions: this.#conditions,
      call: (message) => this.hookFunctions.take(message),
      fact: ({ headers, body }) => {
        const type = headers['ce-type'] ?? '';
        if (this.#environment['PHASEOUT_MODE'] === 'observe') this.told.watched(type, body);
        else this.told.fact(type, body);
      },
      refused: (why) => void this.problems.push(`refused: ${why}`),
    };
  }

  #shared(seed: number): Omit<InstanceParts, 'store' | 'configured' | 'publish'> {
    return {
      clock: this.clock,
      random: seeded(4 + seed),
      log: this.#log(),
      provider: this.provider,
      conditions: this.#conditions,
      carriage: {
        serverAt: (host) => {
          const user = host === 'management' ? 'functions' : 'workload';
          return this.#unreachable.has(host) ? undefined : serverAs(this.server, user);
        },
        failure: (request) => this.#failureOf(request),
        latency: this.#latency,
        answered: (request, answer) => {
          this.requests.push({ ...request, code: answer.code });
          if (isForbiddenWhileWatching(request, this.#environment))
            this.problems.push(`written although phaseout only watches: ${request.verb} ${request.path}`);
          this.told.request(request, answer);
          this.safety.request(request, answer);
          this.answered(request, answer);
          return undefined;
        },
      },
    };
  }

  #startControllers(only: readonly ControllerName[]): () => void {
    const stop = startControllers(this.server.cluster, this.clock, {
      only,
      peer: only.some((name) => name.endsWith('-peer')),
      openShiftPeer: only.includes('openshift-drain-controller'),
      cloud: this.provider.cloud,
      report: (error, about) => this.problems.push(`controller ${about}: ${String(error)}`),
    });
    this.#stopControllers.push(stop);
    return stop;
  }

  #running(): Instances {
    if (this.#instances === undefined) throw new Error('the story has not begun');
    return this.#instances;
  }

  #failureOf(request: Carried): Failure | undefined {
    for (const failure of this.#failures) {
      const found = failure(request);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What is logged as an error is a mistake of ours, whatever the story. */
  #log(): InstanceLog {
    const error: InstanceLog['error'] = (message, fields) =>
      this.problems.push(`${message} ${JSON.stringify(fields)}`);
    const warn: InstanceLog['warn'] = (message, fields) =>
      this.warnings.push(`${message} ${JSON.stringify(fields)}`);
    const log: InstanceLog = { ...silent, error, warn, child: () => log, once: () => log };
    return log;
  }
}
