import type { IncomingMessage } from 'node:http';
import { BrokenOff } from './failures.ts';

/**
 * The body, or how many bytes it has when they are more than the limit. What is beyond the limit is read and thrown
 * away: a sender that still writes would otherwise see a broken connection instead of the answer. Throws BrokenOff.
 */
export async function readBody(message: IncomingMessage, limitBytes: number): Promise<Uint8Array | number> {
  let chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limitBytes) chunks = [];
      else chunks.push(chunk);
    }
  } catch (error) {
    throw new BrokenOff({ cause: error });
  }
  return length > limitBytes ? length : Buffer.concat(chunks);
}
