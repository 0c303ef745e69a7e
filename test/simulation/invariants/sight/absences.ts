import { textAt } from '../../../../shared/dialects/fields.ts';
import { management } from '../../platform/clusters.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { SeenAnswer } from '../../wire/line.ts';

type Place = Pick<Exchange, 'resource' | 'namespace' | 'name'>;

interface Said {
  isAbsent: boolean;
  /** Rises with each answer: of two requests at a time, the older answer may arrive last. */
  order: number;
}

/** The absent objects of Cluster API, as each instance knows them from the latest answer that it heard. */
export function rememberAbsences() {
  const unheard = new WeakMap<Exchange, Said>();
  const heard = new Map<string, Said>();
  let order = 0;
  return {
    note(exchange: Exchange, answer: SeenAnswer): void {
      const isAbsent = exchange.host === management ? saysAbsent(exchange, answer) : undefined;
      if (isAbsent !== undefined) unheard.set(exchange, { isAbsent, order: (order += 1) });
    },
    hear(exchange: Exchange): void {
      const said = unheard.get(exchange);
      const before = heard.get(keyOf(exchange))?.order ?? 0;
      if (said !== undefined && said.order > before) heard.set(keyOf(exchange), said);
    },
    /** An object that is made again at once may never have been seen as gone. */
    isAbsent: (instance: string, place: Place): boolean =>
      heard.get(keyOf({ instance, ...place }))?.isAbsent === true,
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
