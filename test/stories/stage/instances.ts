import { createInstance, type Instance } from '../../../infra/host/instance.ts';
import type { Actuator } from '../../../shared/actuator/port.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { createWorkloadClusters } from '../../../shared/adapters/workload-clusters/workload-clusters.ts';
import { type App, createApp } from '../../../shared/http/app.ts';
import type { BinaryMessage } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { HttpResponse } from '../../../shared/http/message.ts';
import { createOutbox } from '../../../shared/http/outbox/outbox.ts';
import { type Config, readConfig } from '../../../shared/runtime/config.ts';
import type { InstanceLog } from '../../../shared/runtime/log.ts';
import type { Store } from '../../../shared/store/port.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { type Carriage, carrying, kubeconfigOf } from './carriage.ts';
import type { Carrier, Origin } from './carrier.ts';
import type { Conditions } from './conditions.ts';
import type { StagedProvider } from './provider.ts';

export interface InstanceParts {
  clock: Clock;
  random: () => number;
  log: InstanceLog;
  store: Store;
  carriage: Carriage;
  provider: StagedProvider;
  /** What the story configures of the instances. */
  configured: () => Partial<Config>;
  conditions: Conditions;
  publish: Carrier['publish'];
}

/** One process of ours, with its own connections and its own memory. It can die at any moment. */
export class RunningInstance {
  readonly #app: App;
  readonly #instance: Instance;
  readonly #died = Promise.withResolvers<HttpResponse>();
  #isAlive = true;
  #requests = 0;

  constructor(parts: InstanceParts, name: string) {
    const { clock, random, log, store, conditions, configured } = parts;
    const connection = { clock, carry: carrying(this.#carriage(parts)) };
    const management = connect(loadKubeConfig({ text: kubeconfigOf('management') }), connection);
    const workloads = createWorkloadClusters(management, { clock, connection });
    const outboxFor = (origin: Origin) =>
      createOutbox({ sink: 'http://broker', clock, random, log, post: this.#post(parts, origin) });
    const config = { ...readConfig({}), wakeUps: conditions.wakeUps ?? true, ...configured() };
    const outbox = outboxFor('wake-up');
    this.#instance = createInstance({
      management,
      workloads,
      actuator: this.#actuator(parts),
      store,
      clock,
      random,
      log,
      config,
      outbox,
      name,
    });
    const handlers = Object.entries(this.#instance.handlers).map(([path, handler]) => [`/${path}`, handler]);
    const { emit } = outboxFor('sweep');
    this.#app = createApp(Object.fromEntries(handlers), { clock, log, requestTimeoutSeconds: 60, emit });
  }

  /** Answers 503 when the instance dies meanwhile, as the proxy in front of it would. */
  call(name: string, { headers, body }: BinaryMessage): Promise<HttpResponse> {
    const bytes = new TextEncoder().encode(body);
    const readBody = () => Promise.resolve(bytes);
    return Promise.race([
      this.#app({ method: 'POST', path: `/${name}`, headers, readBody }),
      this.#died.promise,
    ]);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  die(): void {
    this.#isAlive = false;
    void this.#instance.close();
    this.#died.resolve({ status: 503, headers: {}, body: '' });
  }

  /** Of a dead instance nothing arrives any more, and it learns of nothing. */
  #carriage({ carriage, conditions }: InstanceParts): Carriage {
    return {
      ...carriage,
      failure: (request) => (this.#isAlive ? carriage.failure?.(request) : { kind: 'unreachable' }),
      answered: (request, answer) => {
        if (!this.#isAlive) return never;
        void carriage.answered?.(request, answer);
        return this.#learns(conditions);
      },
    };
  }

  #actuator({ provider, conditions }: InstanceParts): Actuator {
    const learns = () => (this.#isAlive ? this.#learns(conditions) : never);
    return provider.actuator({ isAlive: () => this.#isAlive, learns });
  }

  /** Never of the answer after which it dies. */
  #learns({ diesAfterRequest }: Conditions): Promise<never> | undefined {
    this.#requests += 1;
    if (this.#requests !== diesAfterRequest) return undefined;
    this.die();
    return never;
  }

  #post({ publish }: InstanceParts, origin: Origin) {
    return async (_url: string, message: BinaryMessage): Promise<{ status: number }> => {
      const answer = this.#isAlive ? await publish(message, origin) : undefined;
      return this.#isAlive ? (answer ?? { status: 202 }) : never;
    };
  }
}

const never = new Promise<never>(() => undefined);

/** The instances that serve all functions; events go to them in turn. */
export class Instances {
  readonly #parts: InstanceParts;
  #running: RunningInstance[] = [];
  #isAway = false;
  #turn = 0;
  #started = 0;

  constructor(parts: InstanceParts) {
    this.#parts = parts;
    this.#start();
  }

  /** In the place of one that has died another one begins. Where all have gone there is no answer. */
  next(): Pick<RunningInstance, 'call'> {
    if (this.#running.length === 0)
      return { call: () => Promise.resolve({ status: 503, headers: {}, body: '' }) };
    this.#running = this.#running.map((instance) => (instance.isAlive ? instance : this.#begun()));
    this.#turn += 1;
    return this.#running[this.#turn % this.#running.length]!;
  }

  /** One of them dies, in the middle of whatever it does. */
  killOne(random: () => number): void {
    this.#running[Math.floor(random() * this.#running.length)]?.die();
  }

  /** All go, with all they know, and others begin. */
  restart(): void {
    this.stop();
    if (!this.#isAway) this.#start();
  }

  /** All go, and no others begin; the returned function ends it. */
  leave(): () => void {
    this.#isAway = true;
    this.stop();
    return () => {
      this.#isAway = false;
      this.#start();
    };
  }

  stop(): void {
    for (const instance of this.#running) instance.die();
    this.#running = [];
  }

  #start(): void {
    const { instances = 1 } = this.#parts.conditions;
    this.#running = Array.from({ length: instances }, () => this.#begun());
  }

  #begun(): RunningInstance {
    this.#started += 1;
    // Only the first one dies of it: what comes after finds what it left.
    const { diesAfterRequest: _, ...others } = this.#parts.conditions;
    const conditions = this.#started === 1 ? this.#parts.conditions : others;
    return new RunningInstance({ ...this.#parts, conditions }, `instance-${this.#started}`);
  }
}
