import { isRecord, type KubeObject } from './objects.ts';

/** The text under a key of a Secret; undefined where it has no such key, or nothing in it. Never part of an error. */
export function secretText(secret: KubeObject | undefined, key: string): string | undefined {
  const data = secret?.['data'];
  const encoded = isRecord(data) ? data[key] : undefined;
  if (typeof encoded !== 'string' || encoded === '') return undefined;
  return Buffer.from(encoded, 'base64').toString('utf8');
}
