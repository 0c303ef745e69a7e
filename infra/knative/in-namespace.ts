import type { ServerlessFile, Trigger } from '../serverless/model.ts';
import { pingAddress } from '../serverless/resolve.ts';

/** The same, installed in another namespace. Ticks are told apart by their source, which has the namespace in it. */
export function inNamespace(file: ServerlessFile, namespace: string): ServerlessFile {
  const here = { namespace };
  return {
    ...file,
    ...here,
    broker: { ...file.broker, ...here },
    services: file.services.map((service) => ({ ...service, ...here })),
    triggers: file.triggers.map((trigger) => ({
      ...withPingsOf(trigger, file.namespace, namespace),
      ...here,
    })),
    apiServerSources: file.apiServerSources.map((source) => ({ ...source, ...here })),
    pingSources: file.pingSources.map((source) => ({ ...source, ...here })),
  };
}

function withPingsOf(trigger: Trigger, before: string, after: string): Trigger {
  const { source, ...attributes } = trigger.filter?.attributes ?? {};
  const start = pingAddress(before, '');
  if (source?.startsWith(start) !== true) return trigger;
  const moved = pingAddress(after, source.slice(start.length));
  return { ...trigger, filter: { attributes: { ...attributes, source: moved } } };
}
