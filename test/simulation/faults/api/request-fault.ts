import type { Exchange } from '../../wire/exchange.ts';
import type { Meddling } from '../../wire/meddling.ts';
import type { Fault } from '../fault.ts';
import { type MeddlingFault, meddlingFault } from '../meddling.ts';

interface RequestFault
  extends Pick<MeddlingFault<Exchange, Meddling>, 'name' | 'about' | 'courses' | 'fate'> {
  /** Every request unless given. */
  fits?: (exchange: Exchange) => boolean;
  /** What becomes of requests: `are answered 409`. */
  becomes: string;
}

/** Something that happens to requests to API servers. */
export const requestFault = ({ becomes, fits = () => true, ...fault }: RequestFault): Fault =>
  meddlingFault((world) => (meddler) => world.meddlers.onRequest(meddler), {
    kind: kindOf,
    ...fault,
    fits,
    who: 'the API',
    says: (exchange) => `requests ${becomes}, such as to ${wordsOf(exchange)}`,
    instance: ({ instance }) => instance,
  });

const kindOf = ({ host, verb, resource }: Exchange): string => `${verb} ${resource} of ${host}`;

/** `patch machines.cluster.x-k8s.io m1 in management`. */
export const wordsOf = ({ verb, resource, name, host }: Exchange): string =>
  `${verb} ${name === '' ? resource : `${resource} ${name}`} in ${host}`;

export const isWatch = ({ verb }: Exchange): boolean => verb === 'watch';
export const isNoWatch = (exchange: Exchange): boolean => !isWatch(exchange);
export const isRead = ({ verb }: Exchange): boolean => verb === 'get' || verb === 'list';
export const isWrite = (exchange: Exchange): boolean => !isRead(exchange) && !isWatch(exchange);
export const isEviction = ({ resource }: Exchange): boolean => resource === 'pods/eviction';
