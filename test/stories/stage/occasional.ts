import { Broker, type BrokerParts } from './broker.ts';
import type { Carrier } from './carrier.ts';
import type { ClusterStage } from './cluster-stage.ts';
import type { StageParts } from './stage.ts';

/** Carries events while somebody asks for it: days without any cost nothing. */
class Occasional implements Carrier {
  readonly #parts: BrokerParts;
  #broker: Broker | undefined;

  constructor(parts: BrokerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#broker = new Broker(this.#parts);
    this.#broker.start();
  }

  stop(): void {
    this.#broker?.stop();
    this.#broker = undefined;
  }

  publish(...[message, origin]: Parameters<Carrier['publish']>): undefined {
    this.#broker?.publish(message, origin);
  }
}

/** A stage whose events come when they are wanted. */
export function occasionally<F extends ClusterStage>(open: (parts: Pick<StageParts, 'carrier'>) => F) {
  let made: Occasional | undefined;
  const fleet = open({ carrier: (parts) => (made = new Occasional(parts)) });
  if (made === undefined) throw new Error('the stage has no carrier');
  return { fleet, carrier: made };
}

/** A quarter of an hour, then two days with two short looks at the Machine a day. */
export async function days(fleet: ClusterStage, carrier: Carrier): Promise<void> {
  await fleet.seconds(900);
  for (let half = 0; half < 4; half += 1) {
    carrier.stop();
    await fleet.seconds(12 * 3_600);
    carrier.start();
    await fleet.seconds(90);
  }
}
