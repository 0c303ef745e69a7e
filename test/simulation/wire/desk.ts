import { type ApiServer, createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import {
  type ConnectedKubernetes,
  type ConnectOptions,
  connect,
} from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { Resource } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { settled, VirtualClock } from '../../golden/kubernetes/virtual-clock.ts';
import { kubeconfigOf } from '../../stories/stage/carriage.ts';
import type { Exchange } from './exchange.ts';
import type { SeenAnswer } from './line.ts';
import type { Meddling } from './meddling.ts';
import { createSimulatedWire, type SimulatedWire } from './wire.ts';

export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps' };
export const key = { namespace: 'default', name: 'a' };

export interface Desk {
  clock: VirtualClock;
  server: ApiServer;
  wire: SimulatedWire;
  kubernetes: ConnectedKubernetes;
  /** What becomes of the next requests, one each; `pass` of those after them. */
  meddlings: Meddling[];
  exchanges: Exchange[];
  /** What the ConfigMap said whenever the server was about to be asked. */
  before: (string | undefined)[];
  /** What the server was asked, with the code of its answer, right after it was. */
  seen: string[];
  answers: (SeenAnswer | undefined)[];
  defects: unknown[];
  /** Labels of steps in order. */
  steps: string[];
  /** How long a step takes, while it is not held. */
  wait: (label: string) => Promise<void>;
  /** While this is true, no step is over. */
  hold: boolean;
  /** Lets the first step that is held be over. */
  letOne(): Promise<void>;
  /** Another connection of the same instance. */
  connectTo(host: string, options?: Partial<ConnectOptions>): ConnectedKubernetes;
  stored(name?: string): string | undefined;
}

/** One instance's wire to one API server, in which there is a ConfigMap. */
export function desk(...meddlings: Meddling[]): Desk {
  const clock = new VirtualClock(Date.parse('2040-01-01T00:00:00Z'));
  const server = createApiServer({ clock });
  server.cluster.create('configmaps', { metadata: key, data: { text: 'old' } });
  const held: (() => void)[] = [];
  const wire = createSimulatedWire({
    instance: 'one',
    serverAt: (host) => (host === 'management' ? server : undefined),
    step(label) {
      made.steps.push(label);
      return made.hold ? new Promise((resolve) => held.push(resolve)) : made.wait(label);
    },
    meddle(exchange) {
      made.exchanges.push(exchange);
      return made.meddlings.shift() ?? 'pass';
    },
    arrives: () => made.before.push(made.stored()),
    seen(exchange, answer) {
      made.answers.push(answer);
      made.seen.push(`${exchange.verb} ${answer?.code ?? 'unasked'}`);
    },
    defect: (error) => made.defects.push(error),
  });
  const connectTo = (host: string, options: Partial<ConnectOptions> = {}): ConnectedKubernetes =>
    connect(loadKubeConfig({ text: kubeconfigOf(host) }), { clock, carry: wire.carry, ...options });
  const made: Desk = {
    clock,
    server,
    wire,
    kubernetes: connectTo('management'),
    connectTo,
    meddlings,
    exchanges: [],
    before: [],
    seen: [],
    answers: [],
    defects: [],
    steps: [],
    wait: () => Promise.resolve(),
    hold: false,
    async letOne() {
      held.shift()?.();
      await settled();
    },
    stored: (name = 'a') => textOf(server.cluster.get('configmaps', 'default', name)),
  };
  return made;
}

function textOf(object: object | undefined): string | undefined {
  if (object === undefined || !('data' in object)) return undefined;
  const { data } = object;
  return typeof data === 'object' && data !== null && 'text' in data ? String(data.text) : undefined;
}

/** Writes into the ConfigMap, and says what the outcome is called. */
export async function write({ kubernetes }: Pick<Desk, 'kubernetes'>, text = 'new'): Promise<string> {
  return (await kubernetes.mergePatch(configMaps, key, { data: { text } })).kind;
}

/** What stands in it; undefined when it does not exist. */
export async function read({ kubernetes }: Pick<Desk, 'kubernetes'>): Promise<string | undefined> {
  return textOf(await kubernetes.get(configMaps, key));
}

/** What came of it, in a line; in `seconds` if it takes time. */
export async function outcome(
  { clock }: Desk,
  asked: Promise<string | undefined>,
  seconds = 20,
): Promise<string> {
  let told = 'nothing';
  asked.then(
    (text) => (told = text ?? 'undefined'),
    (error: unknown) =>
      (told = error instanceof Unavailable ? `Unavailable: ${error.message}` : String(error)),
  );
  await clock.advance(seconds * 1_000);
  return told;
}
