import type { BinaryMessage } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { HttpResponse } from '../../../shared/http/message.ts';
import { type InstanceParts, SimulatedInstance } from '../../simulation/platform/instance.ts';

/** An instance that reports the status of its answer to each delivery. */
export class CountedInstance extends SimulatedInstance {
  readonly #delivered: (status: number) => void;

  constructor(parts: InstanceParts, delivered: (status: number) => void) {
    super(parts);
    this.#delivered = delivered;
  }

  override async call(path: string, message: BinaryMessage): Promise<HttpResponse> {
    // What a dead letter's Trigger has asked for stands behind the path.
    const [bare = ''] = path.split('?');
    const answer = await super.call(bare, message);
    this.#delivered(answer.status);
    return answer;
  }
}
