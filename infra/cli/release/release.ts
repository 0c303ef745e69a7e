import { forEachLimited } from '../../../shared/async/parallel.ts';
import { besideApis, groupOf } from '../../../shared/dialects/registry.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { type HookedApi, hookedApis, listHooked } from '../../hook/hooked-apis.ts';
import { CannotDo } from '../../terminal/usage-error.ts';
import { counted } from '../../terminal/words.ts';
import type { Site } from '../deploy/site.ts';
import { inSeveralApis } from '../fleet.ts';
import { asTyped, type MachineName, withoutApi } from '../machine-name.ts';
import { noSuchMachine } from '../no-such-machine.ts';
import { type Found, passedOver, refusePassedOver } from './passed-over.ts';
import { type Ending, type Releasing, releaseOne } from './release-one.ts';

/** The Machines to release: some by name, or all, of one namespace where that is said. */
export type Released = readonly MachineName[] | { namespace?: string };

interface What {
  released: Released;
  installation: string;
  isDryRun: boolean;
  /** The user agrees that functions are not asked. */
  isAgreed?: boolean | undefined;
}

/** At most so many writes at once: each goes through the webhooks of the Machine API. */
const maxAtOnce = 8;

/**
 * Takes the hook of this installation off the Machines. Throws CannotDo with those that keep it, and Unavailable where
 * they cannot be found out.
 */
export async function release(
  site: Pick<Site, 'kubernetes' | 'where' | 'interrupted' | 'tell' | 'othersNode'>,
  { released, installation, isDryRun, isAgreed = false }: What,
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
  const passed = await passedOver(kubernetes, machines, ({ machine, api }) => labelOf(machine, api, apis));
  if (!isAgreed && !isDryRun) refusePassedOver(passed);
  for (const { line } of passed) site.tell({ event: 'warning', text: line });
  const endings = await forEachLimited(
    machines,
    ({ machine, api }) => releaseOne({ ...releasing, ...api, label: labelOf(machine, api, apis) }, machine),
    maxAtOnce,
  );
  tellCount(releasing, endings);
  const kept = machines
    .filter((_, index) => endings[index] === 'kept')
    .map(({ machine, api }) => labelOf(machine, api, apis));
  if (kept.length > 0)
    throw new CannotDo(`${counted(kept.length, 'Machine')} could not be released: ${kept.join(', ')}`);
  return endings.includes('interrupted') ? 'interrupted' : 'done';
}

const allOf = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  api: HookedApi,
  where: { namespace?: string },
): Promise<Found[]> => (await listHooked(kubernetes, api, where)).map((machine) => ({ machine, api }));

/** Throws CannotDo where there is no such Machine, and UsageError where several APIs have one, before any is released. */
async function named(
  kubernetes: Pick<Kubernetes, 'get' | 'list'>,
  apis: readonly HookedApi[],
  wanted: MachineName,
): Promise<Found> {
  const { namespace, name } = wanted;
  const asked = apis.filter((api) => wanted.api === undefined || api.name === wanted.api);
  const found = await Promise.all(
    asked.map(async (api) => ({ api, machine: await kubernetes.get(api.resource, { namespace, name }) })),
  );
  const there = found.flatMap(({ api, machine }) => (machine === undefined ? [] : [{ api, machine }]));
  const [first, ...others] = there;
  if (first === undefined) throw await noSuchMachine({ kubernetes }, wanted, () => known(kubernetes, apis));
  if (others.length === 0) return first;
  throw inSeveralApis(
    { namespace, name },
    there.map(({ machine, api }) => labelOf(machine, api, apis)),
  );
}

async function known(kubernetes: Pick<Kubernetes, 'list'>, apis: readonly HookedApi[]) {
  const lists = await Promise.all(
    apis.map(async (api) => ({ api, machines: (await kubernetes.list(api.resource)).items })),
  );
  return lists.flatMap(({ api, machines }) =>
    machines.map((machine) => {
      const { namespace = '', name } = machine.metadata;
      return { namespace, name, label: labelOf(machine, api, apis) };
    }),
  );
}

function tellCount(
  { tell, isDryRun }: Pick<Releasing, 'tell' | 'isDryRun'>,
  endings: readonly Ending[],
): void {
  const count = counted(endings.filter((ending) => ending === 'released').length, 'Machine');
  tell({ event: 'done', text: isDryRun ? `${count} to release; a dry run` : `${count} released` });
}

/** As the user must type it: with its API where the cluster serves several. */
function labelOf({ metadata }: KubeObject, { name: api }: Found['api'], apis: readonly HookedApi[]): string {
  const { namespace = '', name } = metadata;
  return apis.length > 1 ? asTyped({ api, namespace, name }) : withoutApi({ namespace, name });
}
