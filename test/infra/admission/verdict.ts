import { fileURLToPath } from 'node:url';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { readManifests } from '../../../infra/terminal/manifests.ts';
import { VirtualClock } from '../../golden/kubernetes/virtual-clock.ts';

const users = {
  phaseout: { name: 'system:serviceaccount:phaseout:phaseout', groups: ['system:masters'] },
  other: { name: 'system:serviceaccount:other:phaseout', groups: ['system:masters'] },
};

/** The objects of a file of `infra/admission`. */
export async function policyIn(file: string): Promise<KubeObject[]> {
  const path = fileURLToPath(new URL(`../../../infra/admission/${file}`, import.meta.url));
  return (await readManifests([path])).map(({ object }) => object);
}

/** An API server with this policy, where the users may do all that it lets them. */
export function serverWith(policy: readonly KubeObject[], definitions: readonly KubeObject[]): ApiServer {
  const clock = new VirtualClock(Date.parse('2026-01-02T00:00:00Z'));
  const server = createApiServer({ clock, access: { users } });
  for (const definition of definitions)
    server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  for (const object of policy) server.restore(object);
  return server;
}

export interface Asked {
  user?: keyof typeof users;
  type?: 'merge-patch' | 'json-patch';
  subresource?: string;
}

/** Why a patch of the object at this path was refused, or `taken`. */
export function verdictOf(
  server: ApiServer,
  path: string,
  patch: object,
  { user = 'phaseout', type = 'merge-patch', subresource = '' }: Asked,
): string {
  const response = server.respond({
    method: 'PATCH',
    path: `${path}${subresource}`,
    query: {},
    headers: { authorization: `Bearer ${user}`, 'content-type': `application/${type}+json` },
    body: JSON.stringify(patch),
  });
  if (response.status === 200) return 'taken';
  const { message } = JSON.parse(response.body);
  return `${response.status} ${String(message).split(' denied request: ')[1]}`;
}

export const annotated = (annotations: Record<string, string | null>): object => ({
  metadata: { annotations },
});
