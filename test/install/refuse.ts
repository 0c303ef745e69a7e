import { CannotDo } from '../../infra/terminal/usage-error.ts';
import type { Resource } from '../../shared/kubernetes/client.ts';
import { namespaces } from '../../shared/kubernetes/resources.ts';
import type { Site } from '../cluster/site.ts';
import type { Survey } from '../cluster/survey.ts';
import type { Options } from './options.ts';
import { home } from './stage.ts';

const services: Resource = { group: 'serving.knative.dev', version: 'v1', plural: 'services' };

/** Throws CannotDo where a run would not mean anything, or could hurt somebody. */
export async function refuseToPlay(
  site: Pick<Site, 'server' | 'kubernetes'>,
  found: Survey,
  options: Options,
): Promise<void> {
  const { server, kubernetes } = site;
  const knative = await kubernetes.discover(services.group, 'Service', services.version);
  const broker = await kubernetes.discover('eventing.knative.dev', 'Broker', 'v1');
  if (knative === undefined || broker === undefined)
    throw new CannotDo(
      `${server} has no Knative Serving and Eventing: test/install/README.md says how to get one`,
    );
  const { ownControllers } = found;
  if (ownControllers.length > 0)
    throw new CannotDo(
      `${ownControllers.join(', ')} at ${server} would delete the Machines of the test as well`,
    );
  if (!options.reinstall && (await kubernetes.get(namespaces, { name: home })) !== undefined)
    throw new CannotDo(
      `Namespace ${home} is at ${server} already, and this begins without it: --reinstall removes phaseout first`,
    );
  if (found.otherRuns.length > 0)
    throw new CannotDo(
      `another run has left something (${found.otherRuns.join(', ')}): --clean-up takes it away`,
    );
  const { foreignMachines } = found;
  if (foreignMachines.length > 0 && !options.besideMachines)
    throw new CannotDo(
      `${server} has ${foreignMachines.length} Machines of somebody else (${foreignMachines.slice(0, 3).join(', ')}): --beside-machines installs phaseout for these, too`,
    );
}
