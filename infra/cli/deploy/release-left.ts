import { isSelected } from '../../../shared/dialects/beside/selection.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { controlPlaneLabel } from '../../../shared/dialects/capi/read.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { besideIn } from '../../knative/beside.ts';
import { isLookedAfter, lookedAfterIn, mayBeLess } from '../remove/looked-after.ts';
import { takeHooksOff } from '../remove/take-hooks-off.ts';
import type { Site } from './site.ts';
import { variablesIn } from './variables.ts';

/** The ConfigMaps of an installation before an update, and after it. */
interface Updated {
  before: readonly KubeObject[];
  after: readonly KubeObject[];
}

type Settings = Readonly<Record<string, string>>;

/**
 * A Machine that has our hook is ours to release: one that is looked after no more would wait for it. Called when nothing
 * puts it on again. Throws CannotDo and Unavailable.
 */
export async function releaseLeft(site: Site, { before, after }: Updated): Promise<void> {
  const [settingsBefore, settings] = [settingsIn(before), settingsIn(after)];
  const was = besideIn(settingsBefore);
  const is = besideIn(settings);
  if (!was.isBeside) return;
  if (!is.isBeside || was.installation !== is.installation) return takeHooksOff(site, was);
  const lookedAfter = lookedAfterIn(after);
  if (!mayBeLess(lookedAfterIn(before), lookedAfter) && !isSelectedAnew(settingsBefore, settings)) return;
  const isStillWanted = wantedBy(settings);
  await takeHooksOff(
    site,
    was,
    (machine) => !isLookedAfter(machine, clusterApi, lookedAfter) || !isStillWanted(machine),
  );
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
function wantedBy(settings: Settings): (machine: KubeObject) => boolean {
  const { besideSelector, besideControlPlanes, besideMachinePools } = readConfig(settings);
  const selection = {
    selects: besideSelector,
    controlPlanes: besideControlPlanes,
    machinePools: besideMachinePools,
  };
  return ({ metadata: { labels = {}, deletionTimestamp } }) =>
    deletionTimestamp !== undefined ||
    isSelected({ labels, isControlPlane: controlPlaneLabel in labels }, selection);
}
