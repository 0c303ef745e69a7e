import { textAt } from '../../../../shared/dialects/fields.ts';
import { management } from '../../platform/clusters.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { SeenAnswer } from '../../wire/wire.ts';

type Place = Pick<Exchange, 'resource' | 'namespace' | 'name'>;

/** Of which objects of Cluster API each instance has heard last that they are not there. */
export function rememberAbsences() {
  const unheard = new WeakMap<Exchange, boolean>();
  const absent = new Map<string, boolean>();
  return {
    note(exchange: Exchange, answer: SeenAnswer): void {
      const isAbsent = exchange.host === management ? saysAbsent(exchange, answer) : undefined;
      if (isAbsent !== undefined) unheard.set(exchange, isAbsent);
    },
    hear(exchange: Exchange): void {
      const isAbsent = unheard.get(exchange);
      if (isAbsent !== undefined) absent.set(keyOf(exchange), isAbsent);
    },
    /** One that is made again at once was gone for nobody. */
    isAbsent: (instance: string, place: Place): boolean => absent.get(keyOf({ instance, ...place })) === true,
  };
}

const keyOf = ({ instance, resource, namespace, name }: Place & { instance: string }): string =>
  `${instance} ${resource} ${namespace}/${name}`;

/** Undefined for what says nothing of it. A delete is answered by the object as long as something holds it. */
function saysAbsent({ verb, resource }: Exchange, answer: SeenAnswer): boolean | undefined {
  const { code } = answer;
  if (!resource.endsWith('.cluster.x-k8s.io') || (verb !== 'get' && verb !== 'delete')) return undefined;
  if (code >= 300) return code === 404 ? true : undefined;
  return verb === 'delete' && textAt(answer.body, 'kind') === 'Status';
}
