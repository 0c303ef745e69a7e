import { isSelected } from '../../../shared/dialects/beside/registration.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { isControlPlaneBy } from '../../hook/unasked.ts';
import { type Beside, besideIn } from '../../knative/beside.ts';
import { apiNameOf } from '../api-names.ts';
import { isLookedAfter, lookedAfterIn, mayBeLess } from '../remove/looked-after.ts';
import { refuseOthersNodes, type TakingOff, takeHooksOff } from '../remove/take-hooks-off.ts';
import type { Site } from './site.ts';
import { variablesIn } from './variables.ts';

/** The ConfigMaps of an installation before an update, and after it. */
interface Updated {
  before: readonly KubeObject[];
  after: readonly KubeObject[];
}

type Settings = Readonly<Record<string, string>>;

/**
 * A Machine that has our hook is ours to release. Without phaseout it would wait for the hook. Called when nothing puts
 * it on again. Throws CannotDo and Unavailable.
 */
export async function releaseLeft(site: Site, updated: Updated, how: LettingGo = asHeld): Promise<void> {
  const left = leftBy(updated);
  if (left !== undefined) await takeHooksOff(site, left.was, { ...how, ...left });
}

/** The same before anything is changed: throws CannotDo with those that would take a Node of others along. */
export async function refuseToRelease(site: Site, updated: Updated, how: LettingGo): Promise<void> {
  const left = leftBy(updated);
  if (left !== undefined) await refuseOthersNodes(site, left.was, { ...how, ...left });
}

const asHeld: LettingGo = { letsGoOfOthersNodes: false };

type LettingGo = Pick<TakingOff, 'letsGoOfOthersNodes'>;

/** Whose hook goes, and from which Machines; undefined where all stay as they are. */
function leftBy({ before, after }: Updated): (Pick<TakingOff, 'isLeft'> & { was: Beside }) | undefined {
  const [settingsBefore, settings] = [settingsIn(before), settingsIn(after)];
  const was = besideIn(settingsBefore);
  const is = besideIn(settings);
  if (was.apis.length === 0) return undefined;
  if (was.installation !== is.installation) return { was };
  const lookedAfter = lookedAfterIn(after);
  const isLess =
    was.apis.some((api) => !is.apis.includes(api)) || mayBeLess(lookedAfterIn(before), lookedAfter);
  if (!isLess && !isSelectedAnew(settingsBefore, settings)) return undefined;
  const isStillWanted = wantedBy(settings);
  const isLeft: TakingOff['isLeft'] = (machine, dialect) =>
    !is.apis.some((api) => api === apiNameOf(dialect.group)) ||
    !isLookedAfter(machine, dialect, lookedAfter) ||
    !isStillWanted(machine, dialect);
  return { was, isLeft };
}

const settingsIn = (configMaps: readonly KubeObject[]): Settings =>
  Object.fromEntries(variablesIn(configMaps));

const selecting = [
  'PHASEOUT_BESIDE_SELECTOR',
  'PHASEOUT_BESIDE_CONTROL_PLANES',
  'PHASEOUT_BESIDE_MACHINE_POOLS',
];

const isSelectedAnew = (before: Settings, after: Settings): boolean =>
  selecting.some((name) => before[name] !== after[name]);

/** One that is being deleted is drained to its end, whatever is selected. */
function wantedBy(settings: Settings): (machine: KubeObject, dialect: Dialect) => boolean {
  const { besideSelector, besideControlPlanes, besideMachinePools } = readConfig(settings);
  const selection = {
    selects: besideSelector,
    controlPlanes: besideControlPlanes,
    machinePools: besideMachinePools,
  };
  return ({ metadata: { labels = {}, deletionTimestamp } }, dialect) => {
    const isControlPlane = isControlPlaneBy(labels, dialect);
    return deletionTimestamp !== undefined || isSelected({ labels, isControlPlane }, selection);
  };
}
