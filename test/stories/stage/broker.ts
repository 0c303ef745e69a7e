import * as z from 'zod';
import { ping } from '../../../events/ping.ts';
import { type Change, resourceEvent } from '../../../events/resource.ts';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { type BinaryMessage, toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { apisOf } from './apis.ts';
import type { Carrier, Origin } from './carrier.ts';
import type { Conditions } from './conditions.ts';
import type { Instances } from './instances.ts';

export interface BrokerParts {
  clock: Clock;
  server: ApiServer;
  random: () => number;
  conditions: Conditions;
  instances: () => Instances;
  /** The function of a DeletionHook; its reply. */
  call: (message: BinaryMessage) => BinaryMessage | undefined;
  /** Called for every fact. */
  fact: (message: BinaryMessage) => void;
  /** Called for what no function takes. */
  refused: (why: string) => void;
}

const served = z.custom<Change['object']>();
const maxRetries = 3;
const dueSeconds = 5;
const allSeconds = 60;

/** Broker, Triggers and sources of a story: events in, functions called, replies in again. */
export class Broker implements Carrier {
  readonly #parts: BrokerParts;
  #isStopped = false;
  #events = 0;

  constructor(parts: BrokerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { cluster } = this.#parts.server;
    for (const { machines } of apisOf(cluster))
      cluster.watch(machines, ({ type, object }) => this.#changed(type, object));
    this.#tick('due', dueSeconds);
    this.#tick('all', allSeconds);
  }

  stop(): void {
    this.#isStopped = true;
  }

  publish(message: BinaryMessage, origin: Origin): undefined {
    const { conditions, clock, random, fact } = this.#parts;
    const name = functionFor(message);
    if (name === 'hook') return this.#call(message, 0);
    if (name === undefined) fact(message);
    const isLost = conditions.losesEvents && origin !== 'tick' && origin !== 'sweep';
    if (name === undefined || (isLost && name !== 'hook-answer')) return undefined;
    for (let time = 0; time < (conditions.repeats ?? 1); time += 1) {
      const delay = Math.floor(random() * (conditions.delayMilliseconds ?? 0));
      clock.after(delay, () => void this.#deliver(name, message, 0));
    }
    return undefined;
  }

  /** No story could go on without its functions: only a story itself loses calls and answers. */
  #call(message: BinaryMessage, time: number): undefined {
    const { conditions, clock, random, call } = this.#parts;
    if (time >= (conditions.repeats ?? 1)) return undefined;
    clock.after(Math.floor(random() * (conditions.delayMilliseconds ?? 0)), () => {
      if (this.#isStopped) return;
      const reply = call(message);
      if (reply !== undefined) this.publish(reply, 'reply');
    });
    return this.#call(message, time + 1);
  }

  async #deliver(name: string, message: BinaryMessage, attempt: number): Promise<void> {
    if (this.#isStopped) return;
    const { clock, conditions, instances, refused } = this.#parts;
    const asked = { ...message, headers: { ...message.headers, prefer: 'reply' } };
    const { status, headers, body } = await instances().next().call(name, asked);
    if (conditions.restarts) instances().restart();
    if (status < 300) {
      if (body !== '') this.publish({ headers, body }, name === 'sweep' ? 'sweep' : 'reply');
      return;
    }
    if (status === 400) return refused(`${name}: ${body}`);
    if (attempt >= maxRetries) return;
    clock.after(500 * 2 ** attempt, () => void this.#deliver(name, message, attempt + 1));
  }

  #changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): void {
    const change = ({ ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const)[type];
    const about = { change, object: served.parse(object), plural: 'machines' };
    this.publish(toBinary(resourceEvent(about, this.#newEvent('/source'))), 'change');
  }

  #tick(sweep: 'due' | 'all', seconds: number): void {
    this.#parts.clock.after(seconds * 1_000, () => {
      if (this.#isStopped) return;
      this.publish(toBinary(ping(sweep, this.#newEvent('/tick'))), 'tick');
      this.#tick(sweep, seconds);
    });
  }

  #newEvent(source: string) {
    this.#events += 1;
    return { id: String(this.#events), source, time: this.#parts.clock.now() };
  }
}

/** The Triggers of serverless.yml, in short; undefined for facts. */
function functionFor({ headers }: BinaryMessage): string | undefined {
  const type = headers['ce-type'] ?? '';
  if (type.startsWith('dev.knative.apiserver.resource.')) return 'intake';
  if (type === 'dev.knative.sources.ping') return 'sweep';
  if (type === 'dev.phaseout.hook.call.v1') return 'hook';
  if (type === 'dev.phaseout.hook.answer.v1') return 'hook-answer';
  return type === 'dev.phaseout.deletion.advance.v1' ? headers['ce-phase'] : undefined;
}
