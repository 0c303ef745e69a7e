import type { Target } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { notAcceptable } from '../objects/status.ts';
import { tableOf } from '../tables/table.ts';
import { listBody, type Page, pageMetadata } from '../verbs/list.ts';

/** How objects are written in an answer: as they are, as their metadata only, or as rows of a table. */
export interface Presentation {
  object(object: KubeObject): string;
  list(page: Page): string;
  /** An object on a watch. */
  event(object: KubeObject): string;
}

type Shape = 'object' | 'metadata' | 'table';

/** What the Accept header asks for. Throws ApiError 406 when it takes nothing that is served. */
export function presentationFor(
  api: Api,
  target: Target,
  accept: string | undefined,
  includeObject?: string,
): Presentation {
  const shape = shapeIn(accept);
  if (shape === 'metadata') return metadataOnly;
  if (shape === 'table') return tableOf(api, target, includeObject);
  const object = (one: KubeObject) => api.wire.object(target.resource, target.version, one);
  return { object, event: object, list: (page) => listBody(api, target, page) };
}

function shapeIn(accept: string | undefined): Shape {
  if (!accept || accept === 'application/json') return 'object';
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (!['application/json', 'application/yaml', 'application/*', '*/*'].includes(type)) continue;
    const asked = Object.fromEntries(parameters.map((parameter) => parameter.split('=')));
    const shape = shapeOf(asked);
    if (shape) return shape;
  }
  throw notAcceptable();
}

function shapeOf(asked: Record<string, string | undefined>): Shape | undefined {
  if (asked.as === undefined) return 'object';
  if (asked.g !== 'meta.k8s.io' || asked.v !== 'v1') return undefined;
  if (asked.as === 'Table') return 'table';
  return asked.as === 'PartialObjectMetadata' || asked.as === 'PartialObjectMetadataList'
    ? 'metadata'
    : undefined;
}

function partialMetadata({ metadata }: KubeObject) {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

function partialText(object: KubeObject): string {
  return JSON.stringify(partialMetadata(object));
}

const metadataOnly: Presentation = {
  object: partialText,
  event: partialText,
  list(page) {
    const items = page.objects.length > 0 ? page.objects.map(partialMetadata) : null;
    const head = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
    const { continue: next, ...metadata } = pageMetadata(page);
    return JSON.stringify({ ...head, metadata: next ? { ...metadata, continue: next } : metadata, items });
  },
};

/** Whether the Accept header prefers YAML to JSON. */
export function prefersYaml(accept: string | undefined): boolean {
  const [first = ''] = (accept ?? '').split(',').map((range) => range.trim());
  return first.startsWith('application/yaml');
}
