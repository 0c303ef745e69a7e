import type { WriteOutcome } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';

/** How the API server says that it could not ask a webhook, and has therefore not made the write. */
const unasked = 'failed calling webhook';

/**
 * A webhook without an endpoint keeps a Machine from being written while that lasts, which may be days: it is a refusal, told
 * on the Machine. Webhooks are often not asked about its status.
 */
export async function webhookFailureAsRefusal(write: Promise<WriteOutcome>): Promise<WriteOutcome> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof Unavailable) || !error.message.includes(unasked)) throw error;
    return { kind: 'refused', code: 500, message: error.statusText };
  }
}
