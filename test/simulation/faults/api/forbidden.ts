import type { Exchange } from '../../wire/exchange.ts';
import { requestFault } from './request-fault.ts';

/** In the words of real API servers. */
function messageOf({ verb, resource, namespace, name, host }: Exchange): string {
  const [plural = '', ...group] = resource.split('.');
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const object = name === '' ? '' : ` "${name}"`;
  const user = `system:serviceaccount:phaseout:phaseout-${host}`;
  return `${resource}${object} is forbidden: User "${user}" cannot ${verb} resource "${plural}" in API group "${group.join('.')}" ${where}`;
}

/** Somebody takes a permission away and gives it back later: one verb of one resource, or all. */
export const forbidden = requestFault({
  name: 'forbidden',
  about: 'A permission is taken away for a while: 403.',
  becomes: 'are answered 403 since a permission was taken away',
  courses: ['in bursts', 'for long'],
  fate: (exchange) => ({ answer: { status: 403, reason: 'Forbidden', message: messageOf(exchange) } }),
});
