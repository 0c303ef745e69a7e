import { MalformedEvent } from './malformed-event.ts';

const structuredType = 'application/cloudevents+json';

const essence = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

export const isJson = (contentType: string): boolean =>
  /^[^/]+\/(?:[^+]+\+)?json$/.test(essence(contentType));

/** How an HTTP message carries its event. Throws MalformedEvent for the ways that are not taken. */
export function modeOf(contentType: string | undefined): 'binary' | 'structured' {
  if (contentType === undefined) return 'binary';
  refuseOtherCharsets(contentType);
  const type = essence(contentType);
  if (type === structuredType) return 'structured';
  if (type.startsWith('application/cloudevents-batch')) {
    throw new MalformedEvent('content-type', 'batches are not taken; deliver one event per request');
  }
  if (type.startsWith('application/cloudevents')) {
    throw new MalformedEvent('content-type', `${JSON.stringify(type)} is not taken, only ${structuredType}`);
  }
  return 'binary';
}

function refuseOtherCharsets(contentType: string): void {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return;
  throw new MalformedEvent('content-type', `charset ${charset} is not taken, only utf-8`);
}
