import { isObject } from '../../../infra/local/kubernetes/server/json.ts';
import { parseCron } from '../../../infra/serverless/cron.ts';
import { durationMilliseconds } from '../../../infra/serverless/duration.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { at, foreign, list, text } from './at.ts';

export function ofTrigger(trigger: KubeObject): string[] {
  const filters = list(at(trigger, 'spec', 'filters'));
  return [
    ...(at(trigger, 'spec', 'broker') ? [] : ['no broker']),
    ...ofDestination('subscriber', at(trigger, 'spec', 'subscriber')),
    ...ofDelivery(at(trigger, 'spec', 'delivery')),
    ...filters
      .filter((filter) => Object.keys(isObject(filter) ? filter : {}).length !== 1)
      .map(() => 'a filter has several dialects'),
  ];
}

export function ofDelivery(delivery: unknown): string[] {
  if (delivery === undefined) return [];
  const times = [at(delivery, 'backoffDelay'), at(delivery, 'timeout')].filter((time) => time !== undefined);
  const sink = at(delivery, 'deadLetterSink');
  return [
    ...foreign('delivery', delivery, [
      'retry',
      'backoffPolicy',
      'backoffDelay',
      'timeout',
      'deadLetterSink',
      'format',
    ]),
    ...times
      .filter((time) => durationMilliseconds(text(time)) === undefined)
      .map(() => 'a time is no duration'),
    ...(sink === undefined ? [] : ofDestination('deadLetterSink', sink)),
  ];
}

/** An address, or an object that has one, with a path behind it. */
function ofDestination(what: string, destination: unknown): string[] {
  const ref = at(destination, 'ref');
  const uri = at(destination, 'uri');
  if (ref === undefined)
    return typeof uri === 'string' && URL.canParse(uri) ? [] : [`${what} has no absolute uri`];
  const missing = ['apiVersion', 'kind', 'name'].filter((field) => !at(ref, field));
  return missing.map((field) => `${what}.ref has no ${field}`);
}

export function ofEventType(eventType: KubeObject): string[] {
  const names = list(at(eventType, 'spec', 'attributes')).map((attribute) => at(attribute, 'name'));
  return ['type', 'source', 'specversion', 'id']
    .filter((name) => !names.includes(name))
    .map((name) => `attribute ${name} is missing`);
}

export function ofApiServerSource(source: KubeObject): string[] {
  const resources = list(at(source, 'spec', 'resources'));
  return [
    ...foreign('spec', at(source, 'spec'), [
      'serviceAccountName',
      'mode',
      'resources',
      'namespaceSelector',
      'sink',
      'ceOverrides',
      'owner',
    ]),
    ...(['Reference', 'Resource'].includes(text(at(source, 'spec', 'mode'))) ? [] : ['mode']),
    ...(resources.length > 0 && resources.every((each) => at(each, 'apiVersion') && at(each, 'kind'))
      ? []
      : ['resources']),
    ...ofDestination('sink', at(source, 'spec', 'sink')),
  ];
}

export function ofPingSource(source: KubeObject): string[] {
  const data = at(source, 'spec', 'data');
  parseCron(text(at(source, 'spec', 'schedule')));
  const isJson = at(source, 'spec', 'contentType') === 'application/json';
  return [
    ...(isJson && !isObject(JSON.parse(text(data))) ? ['data is no JSON object'] : []),
    ...ofDestination('sink', at(source, 'spec', 'sink')),
  ];
}

export function ofSinkBinding(binding: KubeObject): string[] {
  const subject = at(binding, 'spec', 'subject');
  return [
    ...ofDestination('sink', at(binding, 'spec', 'sink')),
    ...(['apiVersion', 'kind', 'name'].every((field) => at(subject, field)) ? [] : ['subject']),
    ...(at(subject, 'namespace') === binding.metadata.namespace
      ? []
      : ['the subject is in another namespace']),
  ];
}
