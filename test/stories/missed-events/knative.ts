import { startApiServerSource } from '../../../infra/local/eventing/api-server-source.ts';
import { type Broker, createBroker, type LocalTrigger } from '../../../infra/local/eventing/broker.ts';
import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import { fromHttp, type Headers, passedHeaders } from '../../../infra/local/eventing/http-binding.ts';
import { startPingSource } from '../../../infra/local/eventing/ping-source.ts';
import type { Post, PostRequest, PostResponse } from '../../../infra/local/eventing/post.ts';
import type { ServerlessFile } from '../../../infra/serverless/model.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { BinaryMessage } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { BrokerParts } from '../stage/broker.ts';
import { carrying, kubeconfigOf } from '../stage/carriage.ts';
import type { Carrier } from '../stage/carrier.ts';
import { serverAs } from '../stage/identities.ts';
import { AtOnce } from './at-once.ts';
import { LossyWatches } from './lossy-watches.ts';
import { Part } from './part.ts';
import { whileScheduled } from './schedules.ts';

const ingress = 'http://broker';
const services = 'http://functions';

/** What a function was handed. */
interface Delivered {
  to: string;
  id: string;
  /** `add`, `update` or `delete` of a change; the whole type of everything else. */
  what: string;
  /** Of the object that a change is about. */
  name: string;
  message: BinaryMessage;
}

export interface Sources {
  labelSelector?: string;
  isWithoutBroker?: boolean;
}

/**
 * The local Broker and sources, between a story's functions and its API server. They lose what Knative's own lose. They
 * are what serverless.yml declares, under the story's clock. Each part can go and come again at any moment.
 */
export class Knative implements Carrier {
  readonly #parts: BrokerParts;
  readonly #file: ServerlessFile;
  #running: Broker | undefined;
  readonly watches: LossyWatches;
  readonly broker = new Part(() => this.#startBroker());
  /** Of all ApiServerSources. */
  readonly adapters = new Part(() => this.#startAdapters());
  readonly pings = new Part(() => this.#startPings());
  /** False: requests to the functions are refused, as where no Pod of theirs is left. */
  functionsAreUp = true;
  /** Events that the Broker takes in and then loses. */
  loses: (event: CloudEvent) => boolean = () => false;
  /** Events that the Broker does not take. */
  refuses: (event: CloudEvent) => boolean = () => false;
  readonly #labelSelector: string | undefined;
  /** Sources are bound to the functions: no Broker reads their answers. */
  readonly #isWithoutBroker: boolean;
  readonly delivered: Delivered[] = [];
  readonly sweeps = new AtOnce();
  /** What sources gave up, and the gaps they noticed. */
  readonly dropped: string[] = [];

  /** `labelSelector`: only Machines that it selects are watched. */
  constructor(parts: BrokerParts, file: ServerlessFile, { labelSelector, isWithoutBroker = false }: Sources) {
    this.#parts = parts;
    this.#file = file;
    this.#labelSelector = labelSelector;
    this.#isWithoutBroker = isWithoutBroker;
    const { clock, server } = parts;
    const kubeConfig = loadKubeConfig({ text: kubeconfigOf('management') });
    this.watches = new LossyWatches(
      connect(kubeConfig, { clock, carry: carrying({ serverAt: () => serverAs(server, 'sources') }) }),
    );
  }

  start(): void {
    for (const part of [this.broker, this.adapters, this.pings]) part.start();
  }

  stop(): void {
    for (const part of [this.pings, this.adapters, this.broker]) part.end();
  }

  publish({ headers, body }: BinaryMessage): Promise<{ status: number }> {
    return this.#post({ url: ingress, headers, body: Buffer.from(body) });
  }

  /** Of the changes of this object, those that arrived, in their order. */
  changesOf(name: string): string[] {
    return this.delivered.filter((one) => one.to === '/intake' && one.name === name).map(({ what }) => what);
  }

  /** The last change of this object comes once more. */
  async tellAgain(name: string): Promise<void> {
    const last = this.delivered.findLast((one) => one.to === '/intake' && one.name === name);
    if (last !== undefined) await this.publish(last.message);
  }

  #startBroker(): () => void {
    const { broker, triggers } = this.#file;
    const { clock, refused } = this.#parts;
    const started = createBroker({
      clock,
      triggers: triggers.map(
        ({ subscriber, ...trigger }): LocalTrigger => ({
          ...trigger,
          subscriber: services + subscriber.path,
        }),
      ),
      async: broker.annotations['messaging.knative.dev/async-handler'] === 'true',
      ...(broker.delivery === undefined ? {} : { delivery: broker.delivery }),
      post: this.#post,
      onDeadLetter: ({ status, reason }) => {
        if (status === 400) refused(reason);
      },
    });
    this.#running = started;
    return () => {
      if (this.#running === started) this.#running = undefined;
      void started.close();
    };
  }

  #sinkFor(name: string): string {
    return this.#isWithoutBroker ? `${services}/${name}` : ingress;
  }

  #startAdapters(): () => void {
    const { clock, random } = this.#parts;
    const labelSelector = this.#labelSelector;
    const stops = this.#file.apiServerSources.map((source) =>
      startApiServerSource({
        source: {
          ...source,
          namespaces: ['fleet'],
          ...(labelSelector === undefined ? {} : { labelSelector }),
        },
        apiUrl: 'https://management',
        api: this.watches,
        sink: this.#sinkFor('intake'),
        clock,
        random,
        post: this.#post,
        onDropped: (reason) => this.dropped.push(reason),
      }),
    );
    return () => stops.forEach((stop) => stop());
  }

  #startPings(): () => void {
    const { clock, random, server } = this.#parts;
    const onDropped = (reason: string): number => this.dropped.push(reason);
    const stops = this.#file.pingSources.map((declared) =>
      whileScheduled(server.cluster, declared, (source) =>
        startPingSource({ source, sink: this.#sinkFor('sweep'), clock, random, post: this.#post, onDropped }),
      ),
    );
    return () => stops.forEach((stop) => stop());
  }

  /** A caller that breaks off waits no longer; its request goes on. */
  readonly #post: Post = (request) => {
    const { signal } = request;
    const answer = request.url.startsWith(services) ? this.#call(request) : this.#takeIn(request);
    if (signal === undefined) return answer;
    const brokenOff = Promise.withResolvers<never>();
    if (signal.aborted) brokenOff.reject(signal.reason);
    signal.addEventListener('abort', () => brokenOff.reject(signal.reason), { once: true });
    return Promise.race([answer, brokenOff.promise]);
  };

  async #takeIn({ headers, body, signal }: PostRequest): Promise<PostResponse> {
    const broker = this.#running;
    if (broker === undefined) throw new Error('connect ECONNREFUSED');
    const taken = lowerCased(headers);
    const reading = fromHttp(taken, body);
    if (reading.kind !== 'event') throw new Error(`no event: ${JSON.stringify(taken)}`);
    if (this.refuses(reading.event)) return { status: 503, headers: {}, body: new Uint8Array() };
    if (this.loses(reading.event)) return { status: 202, headers: {}, body: new Uint8Array() };
    const { status, problem = '' } = await broker.publish(reading.event, passedHeaders(taken), signal);
    return { status, headers: {}, body: Buffer.from(problem) };
  }

  async #call({ url, headers, body }: PostRequest): Promise<PostResponse> {
    if (!this.functionsAreUp) throw new Error('connect ECONNREFUSED');
    const to = url.slice(services.length);
    const message = { headers: lowerCased(headers), body: Buffer.from(body).toString() };
    const { 'ce-id': id = '', 'ce-type': type = '', 'ce-name': name = '' } = message.headers;
    this.delivered.push({
      to,
      id,
      name,
      message,
      what: type.replace(/^dev\.knative\.apiserver\.resource\./, ''),
    });
    const call = () => this.#parts.instances().next().call(to.slice(1), message);
    const answer = await (to === '/sweep' ? this.sweeps.during(call) : call());
    return { ...answer, headers: lowerCased(answer.headers), body: Buffer.from(answer.body) };
  }
}

const lowerCased = (headers: Headers): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
