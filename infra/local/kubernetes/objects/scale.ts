import type { Target } from '../discovery/resource.ts';
import { jsonPatch } from '../patches/json-patch.ts';
import { mergePatch } from '../patches/strategic.ts';
import { jsonBody, mediaType, parse } from '../server/body.ts';
import { at, type JsonObject, numberAt, objectOf, textAt } from '../server/json.ts';
import { type ApiRequest, type ApiResponse, isDryRun, ok } from '../server/request.ts';
import { update } from '../verbs/update.ts';
import { type Api, mustExist } from './api.ts';
import type { KubeObject } from './cluster.ts';
import { kubeObject } from './kube-object.ts';
import { methodNotAllowed } from './status.ts';

interface Paths {
  readonly spec: string[];
  readonly status: string[];
  readonly selector: string[] | undefined;
}

/** The scale subresource: the number of replicas alone, wherever the kind keeps it. Throws ApiError. */
export function answerScale(api: Api, target: Target, request: ApiRequest): ApiResponse {
  const object = mustExist(api, target);
  const paths = pathsOf(target);
  const current = scaleOf(target, object, paths);
  const wanted = wantedScale(current, request);
  if (wanted === undefined) return ok(JSON.stringify(current));
  const replicas = numberAt(wanted, 'spec', 'replicas') ?? 0;
  const next = kubeObject(mergePatch(object, nested(paths.spec, replicas)));
  const changed = update(api, target, next, { dryRun: isDryRun(request) });
  return ok(JSON.stringify(scaleOf(target, changed, paths)));
}

function wantedScale(current: JsonObject, request: ApiRequest): unknown {
  if (request.method === 'GET') return undefined;
  if (request.method === 'PUT') return jsonBody(request);
  if (request.method !== 'PATCH') throw methodNotAllowed();
  const changes = parse(request.body ?? '');
  return mediaType(request) === 'application/json-patch+json'
    ? jsonPatch(current, changes)
    : mergePatch(current, changes);
}

function split(path: string): string[] {
  return path.split('.').filter(Boolean);
}

function pathsOf({ resource, version }: Target): Paths {
  const scale = resource.versions.find((one) => one.name === version)?.scale;
  return {
    spec: split(scale?.specReplicasPath ?? '.spec.replicas'),
    status: split(scale?.statusReplicasPath ?? '.status.replicas'),
    selector: scale?.labelSelectorPath ? split(scale.labelSelectorPath) : undefined,
  };
}

function scaleOf({ resource }: Target, object: KubeObject, paths: Paths): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = numberAt(object, ...paths.spec);
  const selector = selectorText(resource.isCustom, object, paths);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === undefined ? {} : { replicas },
    status: { replicas: numberAt(object, ...paths.status) ?? 0, ...(selector && { selector }) },
  };
}

function selectorText(isCustom: boolean, object: KubeObject, { selector }: Paths): string {
  if (isCustom) return selector ? textAt(object, ...selector) : '';
  const labels = objectOf(at(object, 'spec', 'selector', 'matchLabels'));
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
}

function nested([key = '', ...rest]: string[], value: unknown): JsonObject {
  return { [key]: rest.length === 0 ? value : nested(rest, value) };
}
