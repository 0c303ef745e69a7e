import { CannotDo } from '../../infra/terminal/usage-error.ts';
import type { Options } from './options.ts';
import type { Site } from './site.ts';
import type { Survey } from './survey.ts';

/** Throws CannotDo where a run would not mean anything, or could hurt somebody. */
export function refuseToRun(
  found: Survey,
  { beside, besideMachines }: Options,
  { server }: Pick<Site, 'server'>,
): void {
  const { ownControllers, peer, installations, otherRuns, foreignMachines } = found;
  if (ownControllers.length > 0) {
    const names = ownControllers.join(', ');
    throw new CannotDo(
      `${names} at ${server} would delete the Machines of the test as well: a cluster without it is needed`,
    );
  }
  if (peer !== undefined && !beside) {
    throw new CannotDo(
      `Cluster API's own controller runs at ${server} (${peer}) and would delete the Machines of the test as well: --beside tells the stories beside it`,
    );
  }
  if (installations.length > 0) {
    const names = installations.join(', ');
    throw new CannotDo(
      `phaseout is installed at ${server} (ClusterRoles ${names}) and would delete the Machines of the test as well`,
    );
  }
  if (otherRuns.length > 0) {
    const names = otherRuns.join(', ');
    throw new CannotDo(
      `another run is at ${server}, or has been and left something (${names}): --clean-up takes it away`,
    );
  }
  if (foreignMachines.length > 0 && !besideMachines) {
    const some = foreignMachines.slice(0, 3).join(', ');
    throw new CannotDo(
      `${server} has ${foreignMachines.length} Machines of somebody else (${some}, …): --beside-machines runs beside them, with no right to change any of them`,
    );
  }
}
