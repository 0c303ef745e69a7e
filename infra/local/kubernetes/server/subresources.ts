import type { Target } from '../discovery/resource.ts';
import { type Api, mustExist, timestamp } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { evict } from '../objects/eviction.ts';
import { optionsIn } from '../objects/remove-options.ts';
import {
  badRequest,
  conflict,
  methodNotAllowed,
  notFound,
  refuseOtherNamespace,
  unhandled,
} from '../objects/status.ts';
import { refuseClosedNamespace } from '../verbs/create.ts';
import { update } from '../verbs/update.ts';
import { jsonBody } from './body.ts';
import { at, listOf, objectOf, textAt } from './json.ts';
import { type ApiRequest, type ApiResponse, isDryRun, ok } from './request.ts';

const created = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

const success = (): ApiResponse => ok(JSON.stringify(created), 201);

/** POST pods/NAME/eviction. Throws ApiError. */
export function answerEviction(api: Api, target: Target, request: ApiRequest): ApiResponse {
  if (request.method !== 'POST') throw methodNotAllowed();
  const body = objectOf(jsonBody(request));
  refuseOtherKind(body);
  refuseClosedNamespace(api, target.resource, target.namespace, target.name);
  refuseOtherNamespace(textAt(body, 'metadata', 'namespace'), target.namespace);
  if (textAt(body, 'metadata', 'name') !== target.name)
    throw badRequest('name in URL does not match name in Eviction object');
  const options = optionsIn(objectOf(body.deleteOptions));
  evict(api, target, isDryRun(request) ? { ...options, dryRun: true } : options);
  return success();
}

function refuseOtherKind(body: Record<string, unknown>): void {
  const [stated, version] = [textAt(body, 'kind'), textAt(body, 'apiVersion')];
  if (stated === '' || stated === 'Eviction') return;
  const why = `converting (${version}.${stated}) to (policy.Eviction): unknown conversion`;
  throw unhandled(stated, version, 'Eviction', why);
}

/** POST pods/NAME/binding: the Pod is given its Node, once. Throws ApiError. */
export function answerBinding(api: Api, target: Target, request: ApiRequest): ApiResponse {
  if (request.method !== 'POST') throw methodNotAllowed();
  const node = textAt(jsonBody(request), 'target', 'name');
  const pod = mustExist(api, target);
  const { name } = pod.metadata;
  const present = textAt(pod, 'spec', 'nodeName');
  const why = pod.metadata.deletionTimestamp
    ? `pod ${name} is being deleted, cannot be assigned to a host`
    : present && `pod ${name} is already assigned to node "${present}"`;
  if (why) throw conflict({ ...target.resource, plural: 'pods/binding' }, name, why);
  if (!isDryRun(request)) api.store.put('pods', bound(api, pod, node));
  return success();
}

function bound(api: Api, pod: KubeObject, nodeName: string): KubeObject {
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(api.clock.now()),
  };
  const others = listOf(at(pod, 'status', 'conditions')).filter(
    (one) => textAt(one, 'type') !== 'PodScheduled',
  );
  const status = { ...objectOf(pod.status), conditions: [...others, scheduled] };
  return { ...pod, spec: { ...objectOf(pod.spec), nodeName }, status };
}

/** PUT namespaces/NAME/finalize: the namespace's own finalizers. It goes when the last one does. Throws ApiError. */
export function finalizedNamespace(api: Api, target: Target, request: ApiRequest): KubeObject {
  if (request.method !== 'PUT') throw methodNotAllowed();
  const previous = mustExist(api, target);
  const body = jsonBody(request);
  const finalizers = listOf(at(body, 'spec', 'finalizers'));
  const { finalizers: _held, ...spec } = objectOf(previous.spec);
  const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
  return update(api, target, {
    ...previous,
    metadata: { ...previous.metadata, ...(resourceVersion && { resourceVersion }) },
    spec: finalizers.length > 0 ? { ...spec, finalizers } : spec,
  });
}

/** GET pods/NAME/log: nothing runs here, so a log is empty. Throws ApiError 404 when the Pod or its Node is missing. */
export function answerLog(api: Api, target: Target): ApiResponse {
  const pod = mustExist(api, target);
  const node = textAt(pod, 'spec', 'nodeName');
  if (node !== '' && !api.store.get('nodes', undefined, node))
    throw notFound({ group: '', plural: 'nodes', kind: 'Node' }, node);
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: '' };
}
