import type { ChangeType, Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock, Instant } from '../../../shared/time/clock.ts';
import type { ApiServerSource } from '../../serverless/model.ts';
import type { CloudEvent } from './event.ts';
import { followChanges, type WatchedApi } from './follow-changes.ts';
import type { Post } from './post.ts';
import { randomId, sendEvent } from './sender.ts';

export interface ApiServerSourceOptions {
  source: ApiServerSource & { mode?: 'Resource' | 'Reference'; ceOverrides?: Change['ceOverrides'] };
  /** Address of the API server, the `source` of the events. */
  apiUrl: string;
  api: WatchedApi;
  /** Where changes are posted to. */
  sink: string;
  clock: Clock;
  random: () => number;
  post: Post;
  /** Called for every change that will never arrive, with the reason; without an event if the changes are unknown. */
  onDropped?: (reason: string, event?: CloudEvent) => void;
}

/**
 * Posts the changes of one resource, one at a time and in order. What exists at the start is never sent, and what a
 * broken connection or a failing sink cost stays lost: the real source is no better. Returns the way to stop.
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
  const sink = { ...options, url: options.sink, namespace: source.namespace, signal };
  const resource = resourceOf(source);

  async function send(type: ChangeType, object: KubeObject): Promise<void> {
    if (signal.aborted) return;
    const event = changeEvent({
      id: randomId(random),
      time: clock.now(),
      apiUrl: options.apiUrl,
      source,
      type,
      object,
      ...(source.ceOverrides === undefined ? {} : { ceOverrides: source.ceOverrides }),
    });
    const sending = await sendEvent(sink, event);
    if (sending.kind === 'dropped' && !signal.aborted) options.onDropped?.(sending.reason, event);
  }

  const inOrder = createQueue();
  void followChanges({
    api,
    clock,
    random,
    resource,
    selection: {
      ...(namespace === undefined ? {} : { namespace }),
      ...(source.labelSelector === undefined ? {} : { labelSelector: source.labelSelector }),
    },
    signal,
    changed: (type, object) => inOrder(() => send(type, object)),
    gap: () => options.onDropped?.('the resourceVersion was too old: changes in between are lost'),
  });
}

function resourceOf({ apiVersion, plural }: ApiServerSource): Resource {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, plural };
}

/** Runs one piece of work after the other, in the order they were handed in. The work must not throw. */
function createQueue(): (work: () => Promise<void>) => void {
  let last = Promise.resolve();
  return (work) => {
    last = last.then(work);
  };
}

interface Change {
  id: string;
  time: Instant;
  apiUrl: string;
  source: { apiVersion: string; kind: string; plural: string; mode?: 'Resource' | 'Reference' };
  ceOverrides?: { extensions: Readonly<Record<string, string>> };
  type: ChangeType;
  object: KubeObject;
}

const verbs = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

/**
 * The event that an ApiServerSource makes of a change. A deletion carries the object as the watch gave it: the state
 * before the last write, finalizers still listed, with the deletion's resourceVersion.
 */
function changeEvent({ id, time, apiUrl, source, type, object, ceOverrides }: Change): CloudEvent {
  const { apiVersion, kind, plural, mode = 'Resource' } = source;
  // The source names a namespace also where there is none.
  const { name, namespace = '' } = object.metadata;
  const isWhole = mode === 'Resource';
  const data = isWhole
    ? { apiVersion, kind, ...object }
    : { kind, ...(namespace && { namespace }), name, apiVersion };
  return {
    attributes: {
      specversion: '1.0',
      id,
      source: apiUrl,
      type: `dev.knative.apiserver.${isWhole ? 'resource' : 'ref'}.${verbs[type]}`,
      subject: `/apis/${apiVersion}/namespaces/${namespace}/${plural}/${name}`,
      time: new Date(time).toISOString(),
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
