import { phases } from '../shared/machine/phase.ts';
import type { CloudEvent } from './envelope.ts';
import { commandSchemas, inSchemas } from './types.ts';

interface Addressee {
  /** The attributes that its Trigger asks for: a name that is there several times may have any of its values. */
  selected: URLSearchParams;
  /** The URL that did not take it, where the Broker says so. */
  destination: string | undefined;
}

const ping = 'dev.knative.sources.ping';

/**
 * Whether the addressee misses an event that was given up. Knative filters behind the retries. While the filter
 * restarts, each Trigger gives up each event. Its dead letters name neither the Trigger nor the reason. Where nothing
 * is known of the addressee, the event counts as missed.
 */
export function isMissed(event: CloudEvent, { selected, destination }: Addressee): boolean {
  if (selected.size > 0) return isSelected(event, selected);
  const isTaken = takenBy.get(pathOf(destination));
  return isTaken === undefined || isTaken(event);
}

const isSelected = (event: CloudEvent, selected: URLSearchParams): boolean =>
  [...selected.keys()].every((name) => selected.getAll(name).some((wanted) => agrees(event[name], wanted)));

/** As Knative's filters by attributes do: empty asks for any value. */
const agrees = (actual: unknown, wanted: string): boolean =>
  wanted === '' ? actual !== undefined && actual !== '' : textOf(actual) === wanted;

/** In structured mode an extension may be a number or a flag. */
const textOf = (value: unknown): unknown => (typeof value === 'string' ? value : JSON.stringify(value));

/** What our functions take, by their paths. */
const takenBy = new Map<string | undefined, (event: CloudEvent) => boolean>([
  ['/intake', ({ type }) => type !== ping && Object.hasOwn(inSchemas, type)],
  ['/sweep', ({ type }) => type === ping],
  ...phases.map(
    (name) =>
      [
        `/${name}`,
        ({ type, phase }: CloudEvent) => Object.hasOwn(commandSchemas, type) && phase === name,
      ] as const,
  ),
]);

const pathOf = (url: string | undefined): string | undefined =>
  url === undefined || !URL.canParse(url) ? undefined : new URL(url).pathname;
