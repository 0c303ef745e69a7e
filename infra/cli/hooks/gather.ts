import { type Template, templateKinds } from '../../../shared/explain/hooks/templates.ts';
import type { Kubernetes, Resource, Selection } from '../../../shared/kubernetes/client.ts';
import { unreadIn } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { events } from '../../../shared/kubernetes/resources.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';

type Reading = Pick<Kubernetes, 'list' | 'discover'>;

/** What hooks are read from; undefined is what could not be read. One list for each Machine API, one for each kind of template that is served, and one for Events. */
export async function gather(
  kubernetes: Reading,
  machineApis: readonly MachineApi[],
  namespace: string | undefined,
) {
  const where: Selection = namespace === undefined ? {} : { namespace };
  const groups = machineApis.map(({ dialect }) => dialect.group);
  const kinds = templateKinds.filter(({ makes }) => groups.includes(makes));
  const [machines, templates, told] = await Promise.all([
    Promise.all(machineApis.map(({ resource }) => listed(kubernetes, resource, where))),
    Promise.all(kinds.map((kind) => templatesOf(kubernetes, kind, where))),
    listed(kubernetes, events, { ...where, fieldSelector: 'involvedObject.kind=Machine' }),
  ]);
  return {
    machines,
    templates: templates.flatMap((each) => each ?? []),
    lacksTemplates: templates.includes(undefined),
    events: told,
  };
}

async function templatesOf(
  kubernetes: Reading,
  { group, kind, versions }: (typeof templateKinds)[number],
  where: Selection,
): Promise<Template[] | undefined> {
  for (const version of versions) {
    const resource = await kubernetes.discover(group, kind, version);
    if (resource === undefined) continue;
    const objects = await listed(kubernetes, resource, where);
    return objects?.map((object) => ({ object, kind, group }));
  }
  return [];
}

/** What could not be read is said under the answer. */
async function listed(
  kubernetes: Reading,
  resource: Resource,
  where: Selection,
): Promise<KubeObject[] | undefined> {
  try {
    return (await kubernetes.list(resource, where)).items;
  } catch (error) {
    if (unreadIn(error) === undefined) throw error;
    return undefined;
  }
}
