import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { conditionsOf, newsOf } from '../../stories/stage/told-machine.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { World } from '../world.ts';

/** What writes change in the status of Machines of Cluster API; all that others say there is told anyway. */
export function followStatuses({ management }: World) {
  let before: KubeObject | undefined;
  const machineOf = ({ resource, namespace, name }: Exchange): KubeObject | undefined =>
    resource === 'machines.cluster.x-k8s.io/status'
      ? management.get('machines.cluster.x-k8s.io', namespace, name)
      : undefined;
  return {
    /** Right before the server is asked. */
    note(exchange: Exchange): void {
      before = machineOf(exchange);
    },
    /** ` (Ready, NodeHealthy)`; empty where there is nothing to say, or all is told of the Machine itself. */
    changes(exchange: Exchange): string {
      const now = machineOf(exchange);
      const names = before === undefined || now === undefined ? [] : changesBetween(before, now);
      return names.length === 0 ? '' : ` (${names.join(', ')})`;
    },
  };
}

/** Conditions are told by their types, and times and generations go with whatever else is written. */
const notTold = ['conditions', 'v1beta2', 'deprecated', 'lastUpdated', 'observedGeneration'];

/** Fields of the status, and types of conditions. */
export function changesBetween(before: KubeObject, now: KubeObject): string[] {
  const [earlier, later] = [recordAt(before, 'status'), recordAt(now, 'status')];
  const fields = Object.keys({ ...earlier, ...later }).filter((field) => !notTold.includes(field));
  const [known, told] = [conditionsIn(before), conditionsIn(now)];
  const news = newsOf(now).map(([about]) => about);
  const types = [...new Set([...known.keys(), ...told.keys()])].filter((type) => !news.includes(type));
  return [
    ...types.filter((type) => known.get(type) !== told.get(type)),
    ...fields.filter((field) => !isDeepStrictEqual(earlier[field], later[field])),
  ];
}

/** What each says, by its type. */
const conditionsIn = (machine: KubeObject): ReadonlyMap<string, string> =>
  new Map(
    conditionsOf(machine).map((condition) => [
      textAt(condition, 'type') ?? '',
      ['status', 'reason', 'message'].map((field) => textAt(condition, field)).join(' '),
    ]),
  );
