import type { Clock } from '../../../shared/time/clock.ts';
import { deadLetterPath } from '../../serverless/dead-letter-path.ts';
import type { ServerlessFile, Subscriber, Trigger } from '../../serverless/model.ts';
import { startApiServerSource } from './api-server-source.ts';
import { type Broker, createBroker, type LocalTrigger } from './broker.ts';
import type { DeadLetter } from './dead-letter.ts';
import type { CloudEvent } from './event.ts';
import type { WatchedApi } from './follow-changes.ts';
import { serveIngress } from './ingress.ts';
import { startPingSource } from './ping-source.ts';
import { createPool, type Post } from './post.ts';
import { withinProcess } from './within-process.ts';

export interface EventingOptions {
  /** What of serverless.yml Knative Eventing is asked for. */
  file: Pick<ServerlessFile, 'broker' | 'triggers' | 'apiServerSources' | 'pingSources'>;
  clock: Clock;
  random: () => number;
  /** Base URL at which the functions of a Knative Service are served, one path each. */
  serviceUrl: (service: string) => string;
  api: WatchedApi;
  apiUrl: string;
  /** Of the ingress; any free one if there is none. */
  port?: number;
  /** The functions, where they are in this process: then nothing between them and the Broker goes over HTTP. */
  functions?: Post;
  onDeadLetter?: (letter: DeadLetter) => void;
  /** An event that a source gave up, or a gap with unknown events. */
  onDropped?: (source: string, reason: string, event?: CloudEvent) => void;
}

export interface Eventing {
  /** The Broker's address, as a SinkBinding would put it into `K_SINK`. */
  sink: string;
  broker: Broker;
  /** Sends to the sink and to all that a Trigger or source may name. */
  post: Post;
  /** Begins to watch and to tick. Apart from opening, so that the functions can be told the sink before. */
  startSources(): void;
  /** Stops the sources first, so that nothing new comes while the Broker lets go of the rest. */
  close(): Promise<void>;
}

/** Opens the Broker, Triggers and sources that a serverless.yml asks of Knative Eventing. */
export async function openEventing(options: EventingOptions): Promise<Eventing> {
  const { file, clock, functions, serviceUrl, onDeadLetter } = options;
  const { name, namespace, annotations } = file.broker;
  const pool = createPool();
  const ingressUrl = `http://broker-ingress.knative-eventing.svc.cluster.local/${namespace}/${name}`;
  const neighbours = { broker: () => broker, ingressUrl, functionsUrl: serviceUrl(''), outside: pool.post };
  const post = functions === undefined ? pool.post : withinProcess({ ...neighbours, functions });
  const broker = createBroker({
    clock,
    name,
    namespace,
    triggers: file.triggers.map((trigger) => localTrigger(trigger, options)),
    async: annotations['messaging.knative.dev/async-handler'] === 'true',
    post,
    ...(file.broker.delivery === undefined ? {} : { delivery: file.broker.delivery }),
    ...(onDeadLetter === undefined ? {} : { onDeadLetter }),
  });
  const served = { name, namespace, port: options.port ?? 0 };
  const ingress =
    functions === undefined
      ? await serveIngress(broker, served)
      : { url: ingressUrl, close: () => Promise.resolve() };
  const stops: (() => void)[] = [];
  return {
    sink: ingress.url,
    broker,
    post,
    startSources() {
      if (stops.length === 0) stops.push(...startSources(options, ingress.url, post));
    },
    async close() {
      for (const stop of stops) stop();
      await ingress.close();
      await broker.close();
      await pool.close();
    },
  };
}

const addressOf = ({ service, path }: Subscriber, serviceUrl: (service: string) => string): string =>
  new URL(path, serviceUrl(service)).href;

/** With the addresses of its subscriber and of the function that takes dead letters, unless another sink is named. */
function localTrigger(
  { subscriber, ...trigger }: Trigger,
  { file: { broker }, serviceUrl }: EventingOptions,
): LocalTrigger {
  const { deadLetter, delivery } = broker;
  const own = deadLetter && { ...deadLetter, path: deadLetterPath(deadLetter, trigger) };
  const sink = delivery?.deadLetterSink ?? (own && addressOf(own, serviceUrl));
  return {
    ...trigger,
    subscriber: addressOf(subscriber, serviceUrl),
    ...(sink !== undefined && { delivery: { deadLetterSink: sink, ...(trigger.delivery ?? delivery) } }),
  };
}

function startSources(options: EventingOptions, sink: string, post: Post): (() => void)[] {
  const { file, clock, random, api, apiUrl } = options;
  const common = { sink, clock, random, post };
  const told = (name: string) => ({
    onDropped: (reason: string, event?: CloudEvent) => options.onDropped?.(name, reason, event),
  });
  return [
    ...file.apiServerSources.map((source) =>
      startApiServerSource({ ...common, ...told(source.name), source, api, apiUrl }),
    ),
    ...file.pingSources.map((source) => startPingSource({ ...common, ...told(source.name), source })),
  ];
}
