import { actuatorOf } from '../../../infra/host/actuator.ts';
import { createInstance, type Instance } from '../../../infra/host/instance.ts';
import { evictionLimits } from '../../../infra/host/open-functions.ts';
import type { Fetch } from '../../../shared/adapters/actuator/post.ts';
import { createDynamoStore, type DynamoStoreOptions } from '../../../shared/adapters/dynamodb/store.ts';
import {
  type ConnectOptions,
  connect,
  patientTimeoutSeconds,
} from '../../../shared/adapters/kubernetes/connect.ts';
import { createWorkloadClusters } from '../../../shared/adapters/workload-clusters/workload-clusters.ts';
import { type App, createApp } from '../../../shared/http/app.ts';
import type { BinaryMessage } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { HttpResponse } from '../../../shared/http/message.ts';
import type { Post } from '../../../shared/http/outbox/deliver.ts';
import { createOutbox } from '../../../shared/http/outbox/outbox.ts';
import type { Advance } from '../../../shared/machine/messages.ts';
import type { Config } from '../../../shared/runtime/config.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import type { InstanceLog } from '../../../shared/runtime/log.ts';
import type { Tracing } from '../../../shared/runtime/tracing.ts';
import { forgivingStore } from '../../../shared/store/best-effort.ts';
import type { Random } from '../random.ts';
import type { Strand } from '../scheduler.ts';
import { kubeConfig } from './connection.ts';

export interface InstanceParts {
  strand: Strand;
  random: Random;
  log: InstanceLog;
  /** Traces nothing unless given. */
  tracing?: Tracing;
  config: Config;
  /** The way to API servers. */
  connection: Pick<ConnectOptions, 'carry'>;
  store: DynamoStoreOptions['client'];
  /** The way to the provider. */
  fetch: Fetch;
  /** The way to the Broker. */
  post: Post;
  /** Called for each served request, with its time and with what is still under way for it. */
  answered: (milliseconds: number, left: readonly string[]) => void;
}

/** The answer of the proxy before an instance that is gone. */
const gone: HttpResponse = { status: 503, headers: {}, body: '' };

/** One process of ours, with its own connections, its own memory and its own clock. It can die at any moment. */
export class SimulatedInstance {
  readonly strand: Strand;
  /** What its steps have from outside. */
  readonly environment: Environment;
  readonly #instance: Instance;
  readonly #app: App;
  readonly #answered: InstanceParts['answered'];
  readonly #died = Promise.withResolvers<HttpResponse>();
  #requests = 0;

  constructor({ strand, random, log, config, connection, fetch, post, ...parts }: InstanceParts) {
    this.strand = strand;
    this.#answered = parts.answered;
    const clock = strand;
    const traced = parts.tracing === undefined ? {} : { tracing: parts.tracing };
    const carried = { clock, ...connection };
    const kubernetes = connect(kubeConfig, { ...carried, requestTimeoutSeconds: patientTimeoutSeconds });
    const workloads = createWorkloadClusters(kubernetes, {
      clock,
      connection: carried,
      evictions: evictionLimits(config),
    });
    const outbox = createOutbox({ sink: 'http://broker', clock, random, log, post });
    const dynamo = createDynamoStore({ client: parts.store, table: config.table, clock });
    this.#instance = createInstance({
      management: kubernetes,
      workloads,
      actuator: actuatorOf(config, kubernetes, clock, { fetch }),
      store: forgivingStore(dynamo, { clock, log: (line) => log.warn(line) }),
      clock,
      random,
      log,
      config,
      outbox,
      name: strand.name,
      isOutside: true,
      ...traced,
    });
    this.environment = this.#instance.environment;
    const handlers = Object.entries(this.#instance.handlers).map(([path, handler]) => [`/${path}`, handler]);
    const newRequestId = (): string => `${strand.name}-${(this.#requests += 1)}`;
    const { requestTimeoutSeconds, requestsInFlight: maxInFlight } = config;
    const { emit } = outbox;
    this.#app = createApp(Object.fromEntries(handlers), {
      clock,
      log,
      requestTimeoutSeconds,
      maxInFlight,
      emit,
      newRequestId,
      ...traced,
    });
  }

  get name(): string {
    return this.strand.name;
  }

  /** The steps that it is taking now. */
  steps(): Advance[] {
    return this.#instance.steps();
  }

  /** Answers 503 when it dies meanwhile, as the proxy in front of it would. */
  async call(path: string, { headers, body }: BinaryMessage): Promise<HttpResponse> {
    return Promise.race([this.#answer(path, headers, body), this.#died.promise]);
  }

  async #answer(path: string, headers: BinaryMessage['headers'], body: string): Promise<HttpResponse> {
    await this.strand.step('a request arrives');
    const bytes = new TextEncoder().encode(body);
    const beganAt = this.strand.awake();
    const request = { method: 'POST', path, headers, readBody: () => Promise.resolve(bytes) };
    const { answer, left } = await this.strand.errands.during(() => this.#app(request));
    // Whatever is not done comes again. A step that a wake-up has begun is none of it.
    if (answer.status < 300 && this.steps().length === 0) this.#answered(this.strand.awake() - beganAt, left);
    await this.strand.step('its answer leaves');
    return answer;
  }

  /** In the middle of whatever it does. */
  die(): void {
    this.strand.die();
    this.#died.resolve(gone);
  }

  /** As a Pod is ended that is asked to: what it has begun comes to its end. */
  async close(): Promise<void> {
    await this.#instance.close();
    this.die();
  }
}
