import { type Case, caseOf, type Obstacle, referredBy } from './case.ts';

/** The Machine that controls what this one refers to, where that is another one. */
export const controllerOf = (about: Case, group: 'infrastructure' | 'bootstrap'): string | undefined =>
  referredBy(about, group)?.metadata.ownerReferences?.find(
    ({ controller, kind, name }) =>
      controller === true && kind === 'Machine' && name !== about.machine.metadata.name,
  )?.name;

/** A copy of a Machine waits while the original keeps the object of both, until the original is gone. */
export function copyObstacle(
  about: Case,
  group: 'infrastructure' | 'bootstrap',
  obstacleOf: (original: Case) => Obstacle | undefined,
): Obstacle | undefined {
  const { world, plan } = about;
  const name = controllerOf(about, group);
  // What is left of one that is gone goes by itself.
  if (name === undefined || world.management.get(plan.resource, plan.namespace, name) === undefined)
    return undefined;
  const going = caseOf(world, { ...plan, name });
  if (going !== undefined && obstacleOf(going) === undefined) return undefined;
  const says = new RegExp(`is controlled by another Machine, ${name}\\b`);
  return { kind: 'copy', what: `the Machine ${name}, whose ${group} object it refers to`, says };
}
