import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { at, textAt } from '../kubernetes/server/json.ts';

const suffix = 'Template';

const isMachineSet = (object: KubeObject): boolean =>
  object.kind === 'MachineSet' && groupVersionOf(object).group === 'cluster.x-k8s.io';

/** The templates that a MachineSet of Cluster API makes infrastructure and bootstrap objects from. */
export function templateReferences(set: KubeObject): unknown[] {
  if (!isMachineSet(set)) return [];
  const spec = at(set, 'spec', 'template', 'spec');
  return [at(spec, 'infrastructureRef'), at(spec, 'bootstrap', 'configRef')].filter((reference) =>
    textAt(reference, 'kind').endsWith(suffix),
  );
}

/** What would come from the templates that sets refer to, so that its kind can be made up before any is made. */
export function madeFromTemplates(objects: readonly KubeObject[]): KubeObject[] {
  const kinds = new Set(objects.flatMap(templateReferences).map((reference) => textAt(reference, 'kind')));
  return objects.flatMap(({ kind = '', ...template }) =>
    kinds.has(kind) ? [{ ...template, kind: kind.slice(0, -suffix.length) }] : [],
  );
}
