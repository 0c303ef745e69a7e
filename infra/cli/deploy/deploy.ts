import { type MachineApiName, machineApiNames } from '../../../shared/dialects/registry.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { MachineApiVersions } from '../../serverless/for-machine-apis.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { counted, duration } from '../../terminal/words.ts';
import { lookedAfterIn } from '../remove/looked-after.ts';
import { outdated, prune } from '../remove/take-away.ts';
import { refuseGivenUp } from '../remove/what-is-left.ts';
import { applyAll, tryAll, type Would } from './apply-all.ts';
import { withoutNeedless } from './definitions.ts';
import { refuseForgotten, type Unsaid } from './forgotten.ts';
import { steps } from './kinds.ts';
import { findKnative } from './knative.ts';
import { findMachineApis } from './machine-apis.ts';
import { isKnativeService, nameOf } from './object-name.ts';
import { listOurs, type Ours, refuseOtherInstallations } from './ours.ts';
import { warnOfOwnControllers } from './own-controllers.ts';
import { refuseWrongMode } from './refuse-mode.ts';
import { refuseToRelease, releaseLeft } from './release-left.ts';
import type { Change } from './report.ts';
import { untilBound } from './service/until-bound.ts';
import type { Site } from './site.ts';
import { untilReady } from './until-ready.ts';
import { isConfigMap, lostVariables, variablesIn, warnOfLost, warnOfNoStore } from './variables.ts';

export interface DeployOptions {
  /** The objects to install for these Machine APIs, in the order to apply them. */
  render: (machineApis: MachineApiVersions) => readonly KubeObject[];
  namespace: string;
  /** Undefined takes all that the cluster serves. */
  machineApis: readonly MachineApiName[] | undefined;
  unsaid: Unsaid;
  /** The names of variables that were given a value for this run. */
  said: readonly string[];
  /** Leave Machines in deletion as they are, if phaseout no longer looks after them. */
  abandon: boolean;
  /** Also where a Machine's own controller then deletes a Node that is not proven to be its own. */
  letsGoOfOthersNodes?: boolean;
  /** Install it in its mode, whatever else runs. */
  forceMode?: boolean;
  /** Take fields that belong to others. */
  force: boolean;
  /** The cluster is asked about everything, and nothing stored. */
  dryRun: boolean;
  /** How long to wait until all is ready; undefined is for ever. */
  timeoutSeconds: number | undefined;
}

/**
 * Installs phaseout in a cluster, or updates an installation. Except for Namespaces and ServiceAccounts it changes
 * nothing unless every object can be changed. Throws CannotDo and Unavailable. Applied objects then stay, and can be
 * applied again.
 */
export async function deploy(site: Site, options: DeployOptions): Promise<'done' | 'interrupted'> {
  const startedAt = site.clock.now();
  const objects = await findObjects(site, options);
  const before = await configMapsThere(site);
  const old = await findOld(site, objects, options);
  const { force } = options;
  const updated = { before, after: objects.filter(isConfigMap) };
  const letting = { letsGoOfOthersNodes: options.letsGoOfOthersNodes ?? false };
  await refuseToRelease(site, updated, letting);
  if (options.dryRun) return only(site, await tryAll(site, objects, { force }), old);

  // First what the dry run of the others needs. By themselves these do nothing.
  const first = needed.flatMap((kind) => objects.filter((object) => object.kind === kind));
  const others = objects.filter((object) => !first.includes(object));
  const changes = await applyAll(site, first, force);
  const created = first.filter((_, i) => changes[i] === 'created').map(nameOf);
  await tryAll(site, others, { force, created });
  changes.push(...(await applyOthers(site, others, force)));
  if (site.interrupted.aborted) return 'interrupted';
  await prune(site, old);
  await waitForAll(site, objects, options);
  await releaseLeft(site, updated, letting);
  if (site.interrupted.aborted) return 'interrupted';
  const took = duration(site.clock.now() - startedAt);
  site.tell({ event: 'done', text: `${summary(changes, old.length)}; all is ready after ${took}` });
  return 'done';
}

const configMapsThere = async (site: Site): Promise<KubeObject[]> =>
  (await listOurs(site, [{ group: '', kind: 'ConfigMap' }])).map(({ object }) => object).filter(isConfigMap);

const needed = ['Namespace', 'ServiceAccount'];

/** A Service waits for its SinkBinding, which is applied before it. */
async function applyOthers(site: Site, objects: readonly KubeObject[], force: boolean): Promise<Change[]> {
  const at = objects.findIndex(isKnativeService);
  if (at === -1) return applyAll(site, objects, force);
  const before = await applyAll(site, objects.slice(0, at), force);
  await untilBound(site, objects);
  return [...before, ...(await applyAll(site, objects.slice(at), force))];
}

/** Reports what deploy would do. */
function only(site: Site, would: readonly Would[], old: readonly Ours[]): 'done' | 'interrupted' {
  if (site.interrupted.aborted) return 'interrupted';
  const told = { event: 'object', dryRun: true } as const;
  for (const { object, ...rest } of would) site.tell({ ...told, object: nameOf(object), ...rest });
  const untried = would.filter(({ isUntried }) => isUntried === true).length;
  for (const { object } of old) site.tell({ ...told, object: nameOf(object), change: 'removed' });
  const changes = would.map(({ change }) => change);
  const notAsked = `the cluster was not asked about ${untried} of them: their Namespace or ServiceAccount is not there yet`;
  const parts = [summary(changes, old.length), untried > 0 && notAsked, 'nothing was done: a dry run'];
  const text = parts.filter(Boolean).join('; ');
  site.tell({ event: 'done', text });
  return 'done';
}

/** The objects to install, once all checks have passed. */
async function findObjects(site: Site, options: DeployOptions): Promise<KubeObject[]> {
  const machineApis = await findMachineApis(site, options.machineApis);
  const rendered = options.render(machineApis);
  const { besideApis = [], observed = [] } = lookedAfterIn(rendered.filter(isConfigMap));
  const tended = withoutObserved(machineApis, observed);
  await refuseWrongMode(site, { machineApis: tended, besideApis, isForced: options.forceMode ?? false });
  const objects = await withoutNeedless(site, rendered);
  await findKnative(site, objects);
  await refuseOtherInstallations(site, options.namespace);
  await warnOfOwnControllers(site, tended, besideApis);
  warnOfNoStore(site, variablesIn(objects.filter(isConfigMap)));
  return objects;
}

/** Who only watches is in no controller's way. */
const withoutObserved = (
  machineApis: MachineApiVersions,
  observed: readonly MachineApiName[],
): MachineApiVersions =>
  Object.fromEntries(
    machineApiNames.flatMap((name) =>
      machineApis[name] === undefined || observed.includes(name) ? [] : [[name, machineApis[name]]],
    ),
  );

/** Objects of an earlier version. Throws CannotDo if they show a forgotten option, or are in use. */
async function findOld(site: Site, objects: readonly KubeObject[], options: DeployOptions): Promise<Ours[]> {
  const there = await listOurs(site, steps.flat());
  if (there.length === 0) return [];
  const old = outdated(there, objects);
  const installed = there.map(({ object }) => object).filter(isConfigMap);
  const wanted = objects.filter(isConfigMap);
  const before = lookedAfterIn(installed);
  const after = lookedAfterIn(wanted);
  const lost = lostVariables(variablesIn(installed), variablesIn(wanted), options.said);
  refuseForgotten({ old, before, after, lost, home: options.namespace }, options.unsaid);
  await refuseGivenUp(site, { before, after }, options);
  warnOfLost(site, lost);
  return old;
}

async function waitForAll(site: Site, objects: readonly KubeObject[], options: DeployOptions): Promise<void> {
  const unready = await untilReady(site, objects, options);
  if (unready.length === 0 || site.interrupted.aborted) return;
  const lines = unready.map(({ object, why }) => `  ${object}: ${why}`);
  const heading = `${counted(unready.length, 'object is', 'objects are')} not ready:`;
  throw new CannotDo([heading, ...lines].join('\n'));
}

/** `2 created, 40 unchanged, 1 removed`. */
function summary(changes: readonly Change[], removed: number): string {
  const kinds = ['created', 'changed', 'replaced', 'unchanged'] as const;
  const counts = kinds.map((change) => [change, changes.filter((one) => one === change).length] as const);
  return [...counts, ['removed', removed] as const]
    .filter(([, count]) => count > 0)
    .map(([change, count]) => `${count} ${change}`)
    .join(', ');
}
