import type { Clock } from '../../../shared/time/clock.ts';
import { deadLetterPath } from '../../serverless/dead-letter-path.ts';
import type { ServerlessFile, Subscriber, Trigger } from '../../serverless/model.ts';
import { startApiServerSource } from './api-server-source.ts';
import { type Broker, createBroker, type LocalTrigger } from './broker.ts';
import type { DeadLetter } from './delivery.ts';
import type { CloudEvent } from './event.ts';
import type { WatchedApi } from './follow-changes.ts';
import { type HookFunction, hookTrigger } from './hook-trigger.ts';
import { serveIngress } from './ingress.ts';
import { startPingSource } from './ping-source.ts';
import { createPool, type Post } from './post.ts';
import { type Site, withinProcess } from './within-process.ts';

export interface EventingOptions {
  /** What of serverless.yml Knative Eventing is asked for. */
  file: Pick<ServerlessFile, 'broker' | 'triggers' | 'apiServerSources' | 'pingSources'>;
  clock: Clock;
  random: () => number;
  /** Base URL at which the functions of a Knative Service are served, one path each. */
  serviceUrl: (service: string) => string;
  /** Functions that this process serves: they are asked without HTTP. */
  functions?: Site;
  api: WatchedApi;
  apiUrl: string;
  /** Functions of DeletionHooks that run elsewhere. */
  hooks?: readonly HookFunction[] | undefined;
  /** Of the ingress; any free one if there is none. */
  port?: number;
  onDeadLetter?: (letter: DeadLetter) => void;
  /** An event that a source gave up, or a gap with unknown events. */
  onDropped?: (source: string, reason: string, event?: CloudEvent) => void;
}

export interface Eventing {
  /** The Broker's address, as a SinkBinding would put it into `K_SINK`. */
  sink: string;
  broker: Broker;
  /** Posts to the Broker and the functions without HTTP. */
  post: Post;
  /** Begins to watch and to tick. Apart from opening, so that the functions can be told the sink before. */
  startSources(): void;
  /** Stops the sources first, so that nothing new comes while the Broker lets go of the rest. */
  close(): Promise<void>;
}

/** Opens the Broker, Triggers and sources that a serverless.yml asks of Knative Eventing. */
export async function openEventing(options: EventingOptions): Promise<Eventing> {
  const { file, clock, onDeadLetter, hooks = [], serviceUrl } = options;
  const { name, namespace, annotations } = file.broker;
  const sites = options.functions === undefined ? [] : [options.functions];
  const pool = createPool();
  const post = withinProcess(() => sites, pool.post);
  const broker = createBroker({
    clock,
    name,
    namespace,
    post,
    triggers: [
      ...file.triggers.map((trigger) => localTrigger(trigger, options)),
      ...hooks.map((hook) => hookTrigger(hook, file.broker.deadLetter, (to) => addressOf(to, serviceUrl))),
    ],
    async: annotations['messaging.knative.dev/async-handler'] === 'true',
    ...(file.broker.delivery === undefined ? {} : { delivery: file.broker.delivery }),
    ...(onDeadLetter === undefined ? {} : { onDeadLetter }),
  });
  const ingress = await serveIngress(broker, { name, namespace, port: options.port ?? 0 });
  sites.push(ingress);
  const stops: (() => Promise<void>)[] = [];
  return {
    sink: ingress.url,
    broker,
    post,
    startSources() {
      if (stops.length === 0) stops.push(startSources(options, ingress.url, post));
    },
    async close() {
      for (const stop of stops) await stop();
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

function startSources(options: EventingOptions, sink: string, post: Post): () => Promise<void> {
  const { file, clock, random, api, apiUrl } = options;
  const common = { sink, clock, random, post };
  const told = (name: string) => ({
    onDropped: (reason: string, event?: CloudEvent) => options.onDropped?.(name, reason, event),
  });
  const stops = [
    ...file.apiServerSources.map((source) =>
      startApiServerSource({ ...common, ...told(source.name), source, api, apiUrl }),
    ),
    ...file.pingSources.map((source) => startPingSource({ ...common, ...told(source.name), source })),
  ];
  return async () => {
    for (const stop of stops) stop();
  };
}
