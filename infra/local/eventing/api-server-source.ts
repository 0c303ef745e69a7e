import type { ChangeType, Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { ApiServerSource } from '../../serverless/model.ts';
import type { CloudEvent } from './event.ts';
import { followChanges, type WatchedApi } from './follow-changes.ts';
import { randomId, type SourceOptions, sendFrom } from './sender.ts';

type Source = ApiServerSource & {
  mode?: 'Resource' | 'Reference';
  ceOverrides?: { extensions: Readonly<Record<string, string>> };
};

export interface ApiServerSourceOptions extends SourceOptions<Source> {
  /** Address of the API server, the `source` of the events. */
  apiUrl: string;
  api: WatchedApi;
  /** Called for every change that will never arrive, with the reason; without an event if the changes are unknown. */
  onDropped?: (reason: string, event?: CloudEvent) => void;
}

/**
 * Posts the changes of one resource, one at a time and in order. What exists at the start is never sent. What a
 * broken connection or a failing sink costs stays lost, as with the real source. Returns the way to stop.
 */
export function startApiServerSource(options: ApiServerSourceOptions): () => void {
  const stopping = new AbortController();
  // One reflector for all namespaces, or one for each that is named, as the real adapter runs them.
  for (const namespace of options.source.namespaces ?? [undefined]) {
    followNamespace(options, namespace, stopping.signal);
  }
  return () => stopping.abort(new Error('the source was stopped'));
}

function followNamespace(
  options: ApiServerSourceOptions,
  namespace: string | undefined,
  signal: AbortSignal,
): void {
  const { source, api, clock, random } = options;
  let last = Promise.resolve();
  async function send(type: ChangeType, object: KubeObject): Promise<void> {
    if (!signal.aborted) await sendFrom(options, changeEvent(options, type, object), signal);
  }

  void followChanges({
    api,
    clock,
    random,
    resource: resourceOf(source),
    selection: {
      ...(namespace === undefined ? {} : { namespace }),
      ...(source.labelSelector === undefined ? {} : { labelSelector: source.labelSelector }),
    },
    signal,
    changed(type, object) {
      last = last.then(() => send(type, object));
    },
    gap: () => options.onDropped?.('the resourceVersion was too old: changes in between are lost'),
  });
}

function resourceOf({ apiVersion, plural }: ApiServerSource): Resource {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, plural };
}

const verbs = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

/**
 * The event that an ApiServerSource makes of a change. A deletion carries the object as the watch gave it. That is
 * its state before the last write, finalizers included, with the deletion's resourceVersion.
 */
function changeEvent(
  { source, apiUrl, clock, random }: ApiServerSourceOptions,
  type: ChangeType,
  object: KubeObject,
): CloudEvent {
  const { apiVersion, kind, plural, mode = 'Resource', ceOverrides } = source;
  // The source names a namespace also where there is none.
  const { name, namespace = '' } = object.metadata;
  const isWhole = mode === 'Resource';
  const data = isWhole
    ? { apiVersion, kind, ...object }
    : { kind, ...(namespace && { namespace }), name, apiVersion };
  return {
    attributes: {
      specversion: '1.0',
      id: randomId(random),
      source: apiUrl,
      type: `dev.knative.apiserver.${isWhole ? 'resource' : 'ref'}.${verbs[type]}`,
      subject: `/apis/${apiVersion}/namespaces/${namespace}/${plural}/${name}`,
      time: new Date(clock.now()).toISOString(),
      datacontenttype: 'application/json',
      apiversion: apiVersion,
      kind,
      name,
      namespace,
      ...ceOverrides?.extensions,
    },
    data: Buffer.from(JSON.stringify(data)),
  };
}
