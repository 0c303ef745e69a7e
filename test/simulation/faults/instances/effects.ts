import { checkpointAnnotation } from '../../../../shared/machine/checkpoint.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The kinds of what phaseout does to the world, and of how it records where a deletion stands. */
export type DeedKind = 'eviction' | 'cordon' | 'delete' | 'provider' | 'record' | 'finalizer';

/** Sources and the Broker ask too, and are called otherwise. */
export const isOfInstance = ({ instance }: Exchange): boolean => instance.startsWith('instance-');

/** Undefined for reads, and for writes that do nothing to the world, such as Events. */
export function deedOf({ verb, resource, body }: Exchange): DeedKind | undefined {
  if (resource === 'pods/eviction') return 'eviction';
  if (verb === 'delete') return 'delete';
  if (verb !== 'patch') return undefined;
  if (resource === 'nodes') return 'cordon';
  if (!resource.startsWith('machines.')) return undefined;
  if (resource.endsWith('/status') || hasCheckpoint(body)) return 'record';
  return 'finalizer';
}

/** Where a deletion stands is about to be recorded. */
export const isCheckpoint = ({ verb, body }: Exchange): boolean => verb === 'patch' && hasCheckpoint(body);

const hasCheckpoint = (body: unknown): boolean => JSON.stringify(body).includes(`"${checkpointAnnotation}"`);
