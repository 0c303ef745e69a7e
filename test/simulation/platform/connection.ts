import type { ConnectOptions } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { kubeconfigOf } from '../../stories/stage/carriage.ts';
import type { Meddlers } from '../meddlers.ts';
import type { InventedAnswer, Observer } from '../observer.ts';
import type { Strand } from '../scheduler.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invented } from '../wire/invented.ts';
import { isLate, type Meddling } from '../wire/meddling.ts';
import { createSimulatedWire, type SimulatedWire } from '../wire/wire.ts';
import type { Addresses } from './addresses.ts';
import { management } from './clusters.ts';

export interface ConnectionParts {
  strand: Strand;
  addresses: Pick<Addresses, 'hostAt' | 'serverAt'>;
  meddlers: Meddlers;
  /** The most objects on a page of a list. Without it, a page has as many as the client asks for. */
  pageSize?: number;
  tell: (tell: (observer: Observer) => void) => void;
  /** Called with mistakes of the simulation's own. */
  defect: (error: unknown) => void;
}

/** The way to the cluster that has the Machines. */
export const kubeConfig = loadKubeConfig({ text: kubeconfigOf(management) });

/** One process's way to all API servers: its wire, and the options of connections over it. */
interface Connection {
  wire: SimulatedWire;
  options: Pick<ConnectOptions, 'clock' | 'carry'>;
}

export function openConnection({ strand, addresses, meddlers, ...parts }: ConnectionParts): Connection {
  const { tell, defect, pageSize } = parts;
  const usual: Meddling = pageSize === undefined ? 'pass' : { pages: pageSize };
  const late = new WeakSet<Exchange>();
  const wire = createSimulatedWire({
    instance: strand.name,
    serverAt: (address) => addresses.serverAt(address),
    hostAt: (address) => addresses.hostAt(address),
    step: (label) => strand.step(label),
    leaves: (exchange) => tell((observer) => observer.leaves?.(exchange)),
    begins: (what, answer) => void strand.errands.note(what, answer),
    meddle(exchange) {
      const meddling = meddlers.request(exchange) ?? usual;
      if (isLate(meddling)) late.add(exchange);
      if (typeof meddling === 'object' && 'answer' in meddling) {
        const answer = inventedAnswer(meddling.answer);
        tell((observer) => observer.invented?.(exchange, answer));
      }
      return meddling;
    },
    arrives(exchange) {
      if (!late.has(exchange)) tell((observer) => observer.before?.(exchange));
    },
    seen(exchange, answer) {
      if (answer !== undefined) tell((observer) => observer.after?.(exchange, answer));
    },
    heard: (exchange) => tell((observer) => observer.heard?.(exchange)),
    heldOff: (exchange, seconds) => tell((observer) => observer.heldOff?.(exchange, seconds)),
    defect,
  });
  return { wire, options: { clock: strand, carry: wire.carry } };
}

function inventedAnswer(answer: Invented): InventedAnswer {
  const { status: code, retryAfter } = answer;
  const message = 'message' in answer ? answer.message : answer.text;
  return { code, message, ...(retryAfter !== undefined && { retryAfter }) };
}
