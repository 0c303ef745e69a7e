/** What phaseout writes on a Machine beside the API's own controller. Clusters have these names: they stay. */

/** The value of our hook, and the owner that it names. */
export const hookOwner = 'phaseout.dev';

/** A person, or `phaseout release`, wants this Machine to be without our hook: neither the sweep nor a policy puts it on. */
export const releasedAnnotation = 'phaseout.dev/released';

/** How often phaseout has put its hook on the Machine. */
export const registeredAnnotation = 'phaseout.dev/registered';

/** Type of the condition that tells how far our drain is; the API's own controller keeps it. */
export const drainingCondition = 'phaseout.dev/Draining';

/** The annotation that is our pre-drain hook. `installation`: the name that tells several of them apart, or empty. */
export const hookOf = (installation: string): string =>
  `pre-drain.delete.hook.machine.cluster.x-k8s.io/${nameOf(installation)}`;

/**
 * The same hook in a list of OpenShift. What moves a Machine between the two APIs carries it over under the same name, so one
 * owner keeps it.
 */
export const listedHookOf = (installation: string): string => nameOf(installation);

/** The Lease that says that this installation lives: the hook watchdog takes our hooks off once it is 30 minutes old. */
export const leaseOf = (installation: string): string => nameOf(installation);

const nameOf = (installation: string): string =>
  installation === '' ? 'phaseout' : `phaseout-${installation}`;

/** Whether an annotation, or an entry of a list, is a hook of phaseout, of whatever installation. */
export const isHookOfOurs = (name: string, owner: string | undefined): boolean =>
  owner === hookOwner &&
  [hookOf(''), listedHookOf('')].some((ours) => name === ours || name.startsWith(`${ours}-`));
