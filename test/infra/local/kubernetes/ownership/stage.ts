import { customResourceDefinition } from '../../../../../infra/local/kubernetes/crds/definition.ts';
import {
  fields,
  integer,
  list,
  listBy,
  setOf,
  text,
  texts,
} from '../../../../../infra/local/kubernetes/crds/shape.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
export const widgets = 'widgets.example.com';
export const path = '/apis/example.com/v1/namespaces/default/widgets/w';

const widgetDefinition = customResourceDefinition({
  group: 'example.com',
  kind: 'Widget',
  plural: 'widgets',
  versions: [
    {
      name: 'v1',
      subresources: { status: {} },
      schema: fields({
        spec: fields({
          size: { ...integer(), default: 3 },
          color: text(),
          labels: texts,
          selector: { ...texts, 'x-kubernetes-map-type': 'atomic' },
          args: list(text()),
          tags: setOf(text()),
          parts: listBy(
            'name',
            fields({ 'name!': text(), size: { ...integer(), default: 1 }, color: text() }),
          ),
        }),
        status: fields({ phase: text() }),
      }),
    },
  ],
});

export function aServer(): ApiServer {
  const server = createApiServer({ clock: new VirtualClock(Date.parse('2026-01-02T00:00:00Z')) });
  server.cluster.create(definitions, widgetDefinition);
  return server;
}

interface How {
  by?: string;
  force?: boolean;
  at?: string;
  dryRun?: boolean;
}

/** The answer's code, and its message when it was refused. */
export function applied(
  server: ApiServer,
  body: object,
  { by = 'me', force, at = path, dryRun }: How = {},
): string {
  const query = { fieldManager: by, ...(force && { force: 'true' }), ...(dryRun && { dryRun: 'All' }) };
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const answer = server.respond({ method: 'PATCH', path: at, query, headers, body: JSON.stringify(body) });
  return [answer.status, JSON.parse(answer.body).message].filter(Boolean).join(' ');
}

export const aWidget = (spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
});
export const apply = (server: ApiServer, spec: object, how?: How): string =>
  applied(server, aWidget(spec), how);

export function widgetIn({ cluster }: ApiServer): KubeObject {
  const [found] = cluster.list(widgets);
  if (!found) throw new Error('there is no Widget');
  return found;
}
