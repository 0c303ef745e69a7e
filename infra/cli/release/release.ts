import { forEachLimited } from '../../../shared/async/parallel.ts';
import { hookOf } from '../../../shared/dialects/beside/names.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Kubernetes, Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { listHooked } from '../../hook/list-hooked.ts';
import { servedMachineApi } from '../../host/served-machine-apis.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { counted } from '../../terminal/words.ts';
import type { Site } from '../deploy/site.ts';
import { type MachineName, withoutApi } from '../machine-name.ts';
import type { Released } from './options.ts';
import { type Ending, type Releasing, releaseOne } from './release-one.ts';

interface What {
  released: Released;
  installation: string;
  isDryRun: boolean;
}

/** At most so many writes at once: each goes through the webhooks of the Machine API. */
const maxAtOnce = 8;

/**
 * Takes the hook of this installation off the Machines. Throws CannotDo with those that keep it, and Unavailable where
 * they cannot be found out.
 */
export async function release(
  site: Pick<Site, 'kubernetes' | 'where' | 'interrupted' | 'tell'>,
  { released, installation, isDryRun }: What,
): Promise<'done' | 'interrupted'> {
  const { kubernetes, where } = site;
  const api = await servedMachineApi(kubernetes, clusterApi);
  if (api === undefined) throw new CannotDo(`${where} serves no Machines of ${clusterApi.group}`);
  const { resource } = api;
  const isNamed = 'length' in released;
  const releasing: Releasing = { ...site, resource, hook: hookOf(installation), isDryRun, isNamed };
  const machines = isNamed
    ? await forEachLimited(released, (name) => named(kubernetes, resource, name), maxAtOnce)
    : await listHooked(kubernetes, releasing, released);
  const endings = await forEachLimited(machines, (one) => releaseOne(releasing, one), maxAtOnce);
  tellCount(releasing, endings);
  const kept = endings.flatMap((ending, index) => (ending === 'kept' ? [labelOf(machines[index])] : []));
  if (kept.length > 0)
    throw new CannotDo(`${counted(kept.length, 'Machine')} could not be released: ${kept.join(', ')}`);
  return endings.includes('interrupted') ? 'interrupted' : 'done';
}

/** Throws CannotDo where there is no such Machine, before any is released. */
async function named(
  kubernetes: Pick<Kubernetes, 'get'>,
  resource: Resource,
  { namespace, name }: MachineName,
): Promise<KubeObject> {
  const machine = await kubernetes.get(resource, { namespace, name });
  if (machine === undefined) throw new CannotDo(`there is no Machine ${namespace}/${name}`);
  return machine;
}

function tellCount({ tell, isDryRun }: Releasing, endings: readonly Ending[]): void {
  const count = counted(endings.filter((ending) => ending === 'released').length, 'Machine');
  tell({ event: 'done', text: isDryRun ? `${count} to release; a dry run` : `${count} released` });
}

const labelOf = (machine: KubeObject | undefined): string => {
  const { namespace = '', name = '' } = machine?.metadata ?? {};
  return withoutApi({ namespace, name });
};
