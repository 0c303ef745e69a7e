import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { management } from '../platform/clusters.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { SeenAnswer } from '../wire/wire.ts';

/** In words what an instance changed, or tried to; undefined for what only reads and for what the Machine's news tell. */
export function deedOf(exchange: Exchange, { code, body }: SeenAnswer): string | undefined {
  const words = wordsOf(exchange);
  if (words === undefined) return undefined;
  const where = exchange.host === management ? '' : ` in ${exchange.host}`;
  const outcome = code < 300 ? '' : `: ${code} ${textAt(body, 'message') ?? ''}`;
  return `${words}${where}${outcome}`;
}

function wordsOf(exchange: Exchange): string | undefined {
  const { verb, resource, namespace, name, body } = exchange;
  const what = namespace === '' ? name : `${namespace}/${name}`;
  if (verb === 'get' || verb === 'list' || verb === 'watch' || resource.startsWith('/')) return undefined;
  if (resource === 'pods/eviction') return `evicts Pod ${what}${graceOf(body)}`;
  if (verb === 'create' && resource.startsWith('events'))
    return `writes the Event ${textAt(body, 'reason')}: ${textAt(body, 'message')}`;
  if (resource.startsWith('leases')) return `${verb}s the Lease ${what || textAt(body, 'metadata', 'name')}`;
  if (verb === 'delete') return `deletes ${resource} ${what}`;
  if (resource === 'nodes') return `cordons Node ${what}`;
  if (Array.isArray(body)) return `takes the finalizer off ${what}`;
  return resource.startsWith('machines.')
    ? machinePatch(what, resource, body)
    : `${verb}es ${resource} ${what}`;
}

function graceOf(body: unknown): string {
  const grace = recordAt(body, 'deleteOptions')['gracePeriodSeconds'];
  return typeof grace === 'number' ? `, with ${grace} s to stop` : '';
}

/** The checkpoint and the status are told by the Machine itself, where the write came to pass. */
const machinePatch = (what: string, resource: string, body: unknown): string | undefined => {
  const isStatus = resource.endsWith('/status');
  const isFinalizer = recordAt(body, 'metadata')['finalizers'] !== undefined;
  if (isFinalizer) return `puts the finalizer on ${what}`;
  return isStatus ? `writes the status of ${what}` : `writes the checkpoint of ${what}`;
};
