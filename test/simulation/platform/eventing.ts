import { type Broker, createBroker } from '../../../infra/local/eventing/broker.ts';
import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import { fromHttp, passedHeaders } from '../../../infra/local/eventing/http-binding.ts';
import type { Post, PostRequest, PostResponse } from '../../../infra/local/eventing/post.ts';
import type { BinaryMessage } from '../../../shared/http/cloud-events/cloud-event.ts';
import { Part } from '../../stories/missed-events/part.ts';
import type { Strand } from '../scheduler.ts';
import { breakable, type Listening } from './breakable.ts';
import { answerOf, type EventFate, type EventPassage, fated, nobody } from './event-fate.ts';
import { hookOf, triggersOf } from './functions/triggers.ts';
import type { SimulatedInstance } from './instance.ts';
import { type SourcesParts, startAdapters, startTicks } from './sources.ts';

const ingress = 'http://broker';
const services = 'http://functions';

interface EventingParts extends Omit<SourcesParts, 'sink' | 'post'> {
  /** Of the Broker, which loses what it holds when it dies. */
  newBroker: () => Strand;
  fate: (passage: EventPassage) => EventFate;
  /** The functions of DeletionHooks. */
  hooks?: { titles: readonly string[]; take: (event: CloudEvent) => PostResponse };
  /** Called for each event that is on its way to the Broker, whatever becomes of it. */
  sent?: (event: CloudEvent) => void;
  /** Called for each event that the Broker takes in. */
  seen: (event: CloudEvent) => void;
  /** Called for each event with which a function answers another one, whether or not the Broker hears of it. */
  replied: (reply: CloudEvent, event: CloudEvent) => void;
  /** The one that takes the next request to the function with this number; undefined while there is none. */
  instance: (index: number) => SimulatedInstance | undefined;
  /** Called for events that no function takes. */
  refused: (why: string) => void;
}

/** The local Broker, Triggers and sources under the scheduler: what serverless.yml declares. Each part can go and come. */
export class Eventing {
  readonly #parts: EventingParts;
  #running: { broker: Broker; strand: Strand } | undefined;
  readonly #paths: readonly string[];
  readonly #listening: Listening = new Set();
  readonly broker = new Part(() => this.#startBroker());
  readonly adapters = new Part(() => startAdapters(this.#sources()));
  readonly ticks = new Part(() => startTicks(this.#sources()));

  constructor(parts: EventingParts) {
    this.#parts = parts;
    this.#paths = [...new Set(parts.file.triggers.map(({ subscriber }) => subscriber.path))];
  }

  start(): void {
    for (const part of [this.broker, this.adapters, this.ticks]) part.start();
  }

  stop(): void {
    for (const part of [this.ticks, this.adapters, this.broker]) part.end();
  }

  /** Lets go of requests without an answer: they would keep a world in memory that is over. */
  forget(): void {
    for (const letGo of this.#listening) letGo();
    this.#listening.clear();
  }

  /** The way to the Broker for an instance. */
  post(strand: Strand) {
    const post = breakable(async (request) => {
      await strand.step('an event leaves');
      const answer = await this.#takeIn(request);
      await strand.step('the Broker answers');
      return answer;
    }, this.#listening);
    return (
      _url: string,
      { headers, body }: BinaryMessage,
      signal: AbortSignal,
    ): Promise<{ status: number }> => post({ url: ingress, headers, body: Buffer.from(body), signal });
  }

  /** An event that no source sent reaches the Broker, if there is one. */
  async slipIn(event: CloudEvent): Promise<void> {
    if (this.#running === undefined) return;
    await this.#running.strand.step('an event arrives');
    await this.#publish(event, {}).catch(() => undefined);
  }

  #startBroker(): () => void {
    const { file, newBroker, end, refused, hooks } = this.#parts;
    const strand = newBroker();
    const { annotations, delivery } = file.broker;
    const broker = createBroker({
      clock: strand,
      triggers: [
        ...file.triggers.map(({ subscriber, ...trigger }) => ({
          ...trigger,
          subscriber: services + subscriber.path,
        })),
        ...triggersOf(hooks?.titles ?? []),
      ],
      async: annotations['messaging.knative.dev/async-handler'] === 'true',
      ...(delivery === undefined ? {} : { delivery }),
      post: breakable((request) => this.#call(request, strand), this.#listening),
      onDeadLetter: ({ status, reason }) => {
        if (status === 400) refused(reason);
      },
    });
    const running = { broker, strand };
    this.#running = running;
    return () => {
      if (this.#running === running) this.#running = undefined;
      end(strand);
      void broker.close();
    };
  }

  #sources(): SourcesParts {
    const post = (strand: Strand): Post =>
      breakable(async (request) => {
        await strand.step('an event leaves');
        return this.#takeIn(request);
      }, this.#listening);
    return { ...this.#parts, sink: ingress, post };
  }

  #fated(passage: EventPassage, pass: () => Promise<PostResponse>): Promise<PostResponse> {
    return fated(this.#parts.fate(passage), pass, this.#running?.strand);
  }

  async #takeIn({ headers, body }: PostRequest): Promise<PostResponse> {
    const taken = lowerCased(headers);
    const reading = fromHttp(taken, body);
    if (reading.kind !== 'event') throw new Error(`no event: ${JSON.stringify(taken)}`);
    const { event } = reading;
    this.#parts.sent?.(event);
    const publish = (): Promise<number> => this.#publish(event, taken);
    return this.#fated({ to: undefined, event }, async () => answerOf(await publish()));
  }

  async #publish(event: CloudEvent, headers: Record<string, string>): Promise<number> {
    if (this.#running === undefined) throw nobody();
    this.#parts.seen(event);
    const { status } = await this.#running.broker.publish(event, passedHeaders(headers));
    return status;
  }

  async #call({ url, headers, body }: PostRequest, strand: Strand): Promise<PostResponse> {
    const hook = hookOf(url);
    const to = hook ?? url.slice(services.length);
    const message = { headers: lowerCased(headers), body: Buffer.from(body).toString() };
    const reading = fromHttp(message.headers, body);
    if (reading.kind !== 'event') throw new Error(`no event: ${JSON.stringify(message.headers)}`);
    await strand.step('an event is delivered');
    return this.#fated({ to, event: reading.event }, async () => {
      if (hook !== undefined) return this.#ask(reading.event, strand);
      const instance = this.#parts.instance(this.#paths.indexOf(to));
      if (instance === undefined) throw nobody();
      const answer = await instance.call(to, message);
      const told = { ...answer, headers: lowerCased(answer.headers), body: Buffer.from(answer.body) };
      const reply = fromHttp(told.headers, told.body);
      if (reply.kind === 'event') this.#parts.replied(reply.event, reading.event);
      return told;
    });
  }

  async #ask(event: CloudEvent, strand: Strand): Promise<PostResponse> {
    const answer = this.#parts.hooks?.take(event);
    if (answer === undefined) throw nobody();
    const reply = fromHttp(lowerCased(answer.headers), answer.body);
    if (reply.kind === 'event') this.#parts.replied(reply.event, event);
    await strand.step('a function answers');
    return answer;
  }
}

const lowerCased = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value ?? '']));
