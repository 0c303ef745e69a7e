import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt } from '../../../../shared/dialects/fields.ts';
import { sortedFields } from '../../../../shared/text/byte-order.ts';

/** All that a living Machine asks of its provider: not what is reported of its server. */
export function wishOf(machine: KubeObject): string {
  const { labels, annotations, finalizers, ownerReferences } = machine.metadata;
  const { providerID: _, ...spec } = recordAt(machine, 'spec');
  return JSON.stringify([spec, labels, annotations, finalizers, ownerReferences], sortedFields);
}
