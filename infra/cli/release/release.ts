import { forEachLimited } from '../../../shared/async/parallel.ts';
import { besideApis, groupOf } from '../../../shared/dialects/registry.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { type HookedApi, hookedApis, listHooked } from '../../hook/hooked-apis.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { counted } from '../../terminal/words.ts';
import type { Site } from '../deploy/site.ts';
import { type MachineName, withoutApi } from '../machine-name.ts';
import { type Ending, type Releasing, releaseOne } from './release-one.ts';

/** The Machines to release: some by name, or all, of one namespace where that is said. */
export type Released = readonly MachineName[] | { namespace?: string };

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
  site: Pick<Site, 'kubernetes' | 'where' | 'interrupted' | 'tell' | 'othersNode'>,
  { released, installation, isDryRun }: What,
): Promise<'done' | 'interrupted'> {
  const { kubernetes, where } = site;
  const apis = await hookedApis(kubernetes, installation);
  if (apis.length === 0)
    throw new CannotDo(`${where} serves no Machines of ${besideApis.map(groupOf).join(' or ')}`);
  const isNamed = 'length' in released;
  const releasing = { ...site, isDryRun, isNamed };
  const found = isNamed
    ? await forEachLimited(released, (name) => named(kubernetes, apis, name), maxAtOnce)
    : await Promise.all(apis.map((api) => allOf(kubernetes, api, released)));
  const machines = found.flat();
  const endings = await forEachLimited(
    machines,
    ({ machine, api }) => releaseOne({ ...releasing, ...api }, machine),
    maxAtOnce,
  );
  tellCount(releasing, endings);
  const kept = endings.flatMap((ending, index) => (ending === 'kept' ? [labelOf(machines[index])] : []));
  if (kept.length > 0)
    throw new CannotDo(`${counted(kept.length, 'Machine')} could not be released: ${kept.join(', ')}`);
  return endings.includes('interrupted') ? 'interrupted' : 'done';
}

/** A Machine, and the API that it is of. */
interface Found {
  machine: KubeObject;
  api: Pick<HookedApi, 'resource' | 'hook'>;
}

const allOf = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  api: HookedApi,
  where: { namespace?: string },
): Promise<Found[]> => (await listHooked(kubernetes, api, where)).map((machine) => ({ machine, api }));

/** In each API that has one of this name. Throws CannotDo where there is no such Machine, before any is released. */
async function named(
  kubernetes: Pick<Kubernetes, 'get'>,
  apis: readonly HookedApi[],
  { api: wanted, namespace, name }: MachineName,
): Promise<Found[]> {
  const asked = apis.filter((api) => wanted === undefined || api.name === wanted);
  const found = await Promise.all(
    asked.map(async (api) => ({ api, machine: await kubernetes.get(api.resource, { namespace, name }) })),
  );
  const there = found.flatMap(({ api, machine }) => (machine === undefined ? [] : [{ api, machine }]));
  if (there.length === 0) throw new CannotDo(`there is no Machine ${namespace}/${name}`);
  return there;
}

function tellCount(
  { tell, isDryRun }: Pick<Releasing, 'tell' | 'isDryRun'>,
  endings: readonly Ending[],
): void {
  const count = counted(endings.filter((ending) => ending === 'released').length, 'Machine');
  tell({ event: 'done', text: isDryRun ? `${count} to release; a dry run` : `${count} released` });
}

const labelOf = (found: Found | undefined): string => {
  const { namespace = '', name = '' } = found?.machine.metadata ?? {};
  return withoutApi({ namespace, name });
};
