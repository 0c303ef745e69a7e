import type { ChangeType, Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { ApiServerSource } from '../../serverless/model.ts';
import { type Change, changeEvent } from './change-event.ts';
import type { CloudEvent } from './event.ts';
import { followChanges, type WatchedApi } from './follow-changes.ts';
import type { Post } from './post.ts';
import { createQueue } from './queue.ts';
import { randomId } from './random-id.ts';
import { sendEvent } from './sender.ts';

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
