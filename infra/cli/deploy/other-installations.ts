import { CannotDo } from '../../terminal/usage-error.ts';
import { listOurs } from './ours.ts';
import type { Site } from './site.ts';

/**
 * Throws CannotDo where phaseout is installed in another namespace as well: two of them would act on the same Machines,
 * and share what belongs to no namespace.
 */
export async function refuseOtherInstallations(site: Site, namespace: string): Promise<void> {
  const services = await listOurs(site, [{ group: 'serving.knative.dev', kind: 'Service' }]);
  const elsewhere = services.flatMap(({ object: { metadata } }) =>
    metadata.namespace === undefined || metadata.namespace === namespace ? [] : [metadata.namespace],
  );
  const [first] = elsewhere;
  if (first === undefined) return;
  const places = [...new Set(elsewhere)].join(', ');
  throw new CannotDo(
    `phaseout is installed in namespace ${places}, not ${namespace}: a cluster takes one. Take that one away first (phaseout remove --namespace ${first}), or go on with it (--namespace ${first})`,
  );
}
