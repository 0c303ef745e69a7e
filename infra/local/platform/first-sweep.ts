import { randomUUID } from 'node:crypto';
import { type ServerlessFile } from '../../serverless/model.ts';
import { pingAddress } from '../../serverless/resolve.ts';
import type { CloudEvent } from '../eventing/event.ts';

/**
 * The slow tick, once and at once. Sources do not report objects that exist when they start, and the user
 * should not wait minutes until the platform sees the Machines that are already in deletion.
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
