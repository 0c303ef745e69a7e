import { providerFinalizer } from '../../../../infra/local/controllers/machines/infrastructure.ts';
import { anything, type Case, finalizersOf, isGoing, neverStops, type Obstacle, referredBy } from './case.ts';

/** Why the Machine's server, or an object that stands for a part of it, never goes. */
export function serverObstacle(about: Case, group: 'infrastructure' | 'bootstrap'): Obstacle | undefined {
  return about.plan.api === 'capi' ? referredObstacle(about, group) : instanceObstacle(about);
}

function referredObstacle(about: Case, group: 'infrastructure' | 'bootstrap'): Obstacle | undefined {
  const object = referredBy(about, group);
  if (object === undefined || !isGoing(object)) return undefined;
  const others = finalizersOf(object).filter((name) => name !== providerFinalizer);
  if (others.length === 0 && !neverStops(object)) return undefined;
  const why = others.length === 0 ? 'that never goes' : `that ${others.join(', ')} holds`;
  const says = group === 'infrastructure' ? /GenericInfrastructureMachine/ : /GenericBootstrapConfig/;
  return { kind: group, what: `the ${group} object ${object.metadata.name} ${why}`, says };
}

/** The provider of the simulation asks those of v1alpha1 to come again as long as the server is there. */
function instanceObstacle({ world, machine }: Case): Obstacle | undefined {
  if (!neverStops(machine)) return undefined;
  const isThere = world.cloud.servers().some((server) => server.machine.uid === machine.metadata.uid);
  // The API has no place for it but an Event, which is written when the wait has become long.
  return isThere
    ? { kind: 'infrastructure', what: 'the server that never stops', says: anything }
    : undefined;
}
