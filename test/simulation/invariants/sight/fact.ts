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

/** Questions to others, and what phaseout tells itself. */
const noFacts = ['deletion.advance', 'hook.call', 'hook.answer'];

/** Undefined for what phaseout is told, and for what it asks. */
export function factOf({ attributes, data }: CloudEvent): Fact | undefined {
  const kind = /^dev\.phaseout\.(.+)\.v1$/.exec(attributes['type'] ?? '')?.[1];
  if (kind === undefined || noFacts.includes(kind)) return undefined;
  const read: unknown = JSON.parse(Buffer.from(data).toString());
  return {
    id: attributes['id'] ?? '',
    kind,
    uid: textAt(read, 'machine', 'uid') ?? '',
    data: recordAt(read),
  };
}
