import { kubeconfigOf } from '../cluster/install/accounts.ts';
import { installDefinitions } from '../cluster/install/definitions.ts';
import type { Installation } from '../cluster/install/install.ts';
import { peerObjects } from '../cluster/install/peer.ts';
import { workloadNamespace, workloadObjects } from '../cluster/install/rendered.ts';
import { make } from '../cluster/make.ts';
import type { Site } from '../cluster/site.ts';
import type { Survey } from '../cluster/survey.ts';

/** Makes what Machines of the test need: the missing kinds, and a way to their Nodes in this cluster. */
export async function prepare(site: Site, run: string, found: Survey): Promise<Installation> {
  const name = `phaseout-test-${run}`;
  const hasPeer = found.peer !== undefined;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await make(site, run, namespace);
  const definitions = await installDefinitions(site, run, hasPeer);
  for (const object of [...(await workloadObjects(name)), ...(hasPeer ? peerObjects(name) : [])])
    await make(site, run, object);
  const account = { namespace: workloadNamespace(name), name: 'phaseout' };
  return {
    name,
    rendered: [],
    functions: '',
    sources: new Map(),
    both: '',
    workload: await kubeconfigOf(site, account),
    hasPolicies: found.hasPolicies,
    capi: found.capi,
    definitions,
  };
}
