import type { CloudEvent } from '../../../../infra/local/eventing/event.ts';

/** An event with defaults for all that a test does not care about. */
export const anEvent = (attributes: Record<string, string> = {}, data = '{"a":1}'): CloudEvent => ({
  attributes: {
    specversion: '1.0',
    id: 'e-1',
    source: '/test',
    type: 'dev.test',
    datacontenttype: 'application/json',
    ...attributes,
  },
  data: Buffer.from(data),
});
