import { randomUUID } from 'node:crypto';
import { type ServerlessFile } from '../../serverless/model.ts';
import { pingAddress } from '../../serverless/resolve.ts';
import type { CloudEvent } from '../eventing/event.ts';

/**
 * The slow tick, once and at once: sources tell nothing of what exists when they start, and whoever starts a platform
 * does not want to wait minutes until it sees the Machines that are being deleted already.
 */
export function firstSweep(file: ServerlessFile): CloudEvent[] {
  const sources = file.pingSources.filter(({ data }) => data?.includes('"all"') === true);
  return sources.map(({ namespace, name, data = '', contentType = 'application/json' }) => ({
    attributes: {
      specversion: '1.0',
      id: randomUUID(),
      source: pingAddress(namespace, name),
      type: 'dev.knative.sources.ping',
      datacontenttype: contentType,
    },
    data: Buffer.from(data),
  }));
}
