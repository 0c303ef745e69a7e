import type { CloudEvent } from '../../../../infra/local/eventing/event.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';

/** What phaseout publishes for any listener. */
export interface Fact {
  id: string;
  /** `deletion.advanced`. */
  kind: string;
  /** Of the Machine. */
  uid: string;
  data: Readonly<Record<string, unknown>>;
}

/** Undefined for what phaseout is told, and for what it tells itself. */
export function factOf({ attributes, data }: CloudEvent): Fact | undefined {
  const kind = /^dev\.phaseout\.(.+)\.v1$/.exec(attributes['type'] ?? '')?.[1];
  if (kind === undefined || kind === 'deletion.advance') return undefined;
  const read: unknown = JSON.parse(Buffer.from(data).toString());
  return {
    id: attributes['id'] ?? '',
    kind,
    uid: textAt(read, 'machine', 'uid') ?? '',
    data: recordAt(read),
  };
}
