import type { IncomingMessage } from 'node:http';
import { BrokenOff } from './failures.ts';

/**
 * The body, or undefined when it has more bytes than the limit. What is beyond the limit is read and thrown away:
 * a sender that still writes would otherwise see a broken connection instead of the answer. Throws BrokenOff.
 */
export async function readBody(
  message: IncomingMessage,
  limitBytes: number,
): Promise<Uint8Array | undefined> {
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
  return length > limitBytes ? undefined : Buffer.concat(chunks);
}
