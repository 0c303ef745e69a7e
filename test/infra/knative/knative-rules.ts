import { durationMilliseconds } from '../../../infra/serverless/duration.ts';
import { parseCron } from '../../../infra/serverless/cron.ts';
import { isObject } from '../../../infra/local/kubernetes/json.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

/** What the webhooks of a Knative with its defaults refuse, as far as what we render can come near it. */
export function refusals(object: KubeObject): string[] {
  const judge = judges[`${object.apiVersion}/${object.kind}`];
  return (judge?.(object) ?? []).map((why) => `${object.kind} ${object.metadata.name}: ${why}`);
}

const judges: Readonly<Record<string, (object: KubeObject) => string[]>> = {
  'serving.knative.dev/v1/Service': ofService,
  'eventing.knative.dev/v1/Broker': (broker) => ofDelivery(at(broker, 'spec', 'delivery')),
  'eventing.knative.dev/v1/Trigger': ofTrigger,
  'eventing.knative.dev/v1beta3/EventType': ofEventType,
  'sources.knative.dev/v1/ApiServerSource': ofApiServerSource,
  'sources.knative.dev/v1/PingSource': ofPingSource,
  'sources.knative.dev/v1/SinkBinding': ofSinkBinding,
};

function ofService(service: KubeObject): string[] {
  const template = ['spec', 'template'];
  const pod = at(service, ...template, 'spec');
  const containers = list(at(pod, 'containers'));
  return [
    ...Object.keys(service.metadata.annotations ?? {})
      .filter((name) => name.startsWith('autoscaling.knative.dev/'))
      .map((name) => `${name} belongs to the template`),
    ...foreign('pod', pod, podFields),
    ...(containers.length === 1 ? [] : ['one container is expected']),
    ...containers.flatMap(ofContainer),
    ...ofTimeout(at(pod, 'timeoutSeconds')),
    ...ofScaling(at(service, ...template, 'metadata', 'annotations')),
  ];
}

/** Without any of the features that an operator has to switch on. */
const podFields = [
  'serviceAccountName',
  'containers',
  'volumes',
  'imagePullSecrets',
  'enableServiceLinks',
  'containerConcurrency',
  'timeoutSeconds',
];
const containerFields = [
  'name',
  'args',
  'command',
  'env',
  'envFrom',
  'image',
  'imagePullPolicy',
  'livenessProbe',
  'ports',
  'readinessProbe',
  'resources',
  'securityContext',
  'volumeMounts',
];
const securityFields = [
  'allowPrivilegeEscalation',
  'capabilities',
  'readOnlyRootFilesystem',
  'runAsGroup',
  'runAsNonRoot',
  'runAsUser',
  'seccompProfile',
];
const reservedVariables = ['PORT', 'K_SERVICE', 'K_CONFIGURATION', 'K_REVISION'];
const reservedPorts = [8012, 8013, 8022, 8008, 9090, 9091];

function ofContainer(container: unknown): string[] {
  const variables = list(at(container, 'env'));
  const ports = list(at(container, 'ports'));
  return [
    ...foreign('container', container, containerFields),
    ...foreign('securityContext', at(container, 'securityContext'), securityFields),
    ...(at(container, 'securityContext', 'capabilities', 'add') === undefined
      ? []
      : ['capabilities are added']),
    ...(at(container, 'name') === 'queue-proxy' ? ['the name is taken'] : []),
    ...variables
      .filter((variable) => reservedVariables.includes(String(at(variable, 'name'))))
      .map((variable) => `${String(at(variable, 'name'))} is reserved`),
    ...(variables.some((variable) => at(variable, 'valueFrom', 'fieldRef') !== undefined)
      ? ['fieldRef needs kubernetes.podspec-fieldref']
      : []),
    ...(ports.length > 1 ? ['more than one port'] : []),
    ...ports
      .filter((port) => reservedPorts.includes(Number(at(port, 'containerPort'))))
      .map(() => 'a port of queue-proxy'),
    ...ports
      .filter((port) => !['', 'http1', 'h2c', undefined].includes(at(port, 'name') as string | undefined))
      .map(() => 'a port has a name of its own'),
  ];
}

const ofTimeout = (seconds: unknown): string[] =>
  typeof seconds === 'number' && seconds > 0 && seconds <= 600 ? [] : ['timeoutSeconds is out of bounds'];

function ofScaling(annotations: unknown): string[] {
  const value = (name: string) => at(annotations, `autoscaling.knative.dev/${name}`);
  const window = value('window');
  return [
    ...(value('initial-scale') === '0' ? ['initial-scale 0 needs allow-zero-initial-scale'] : []),
    ...(window === undefined || /^(\d+)s$/.test(String(window)) ? [] : ['window is not in whole seconds']),
    ...(Number(value('max-scale')) !== 0 && Number(value('min-scale')) > Number(value('max-scale'))
      ? ['min-scale is more than max-scale']
      : []),
  ];
}

function ofTrigger(trigger: KubeObject): string[] {
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

function ofDelivery(delivery: unknown): string[] {
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
      .filter((time) => durationMilliseconds(String(time)) === undefined)
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

function ofEventType(eventType: KubeObject): string[] {
  const names = list(at(eventType, 'spec', 'attributes')).map((attribute) => at(attribute, 'name'));
  return ['type', 'source', 'specversion', 'id']
    .filter((name) => !names.includes(name))
    .map((name) => `attribute ${name} is missing`);
}

function ofApiServerSource(source: KubeObject): string[] {
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
    ...(['Reference', 'Resource'].includes(String(at(source, 'spec', 'mode'))) ? [] : ['mode']),
    ...(resources.length > 0 && resources.every((each) => at(each, 'apiVersion') && at(each, 'kind'))
      ? []
      : ['resources']),
    ...ofDestination('sink', at(source, 'spec', 'sink')),
  ];
}

function ofPingSource(source: KubeObject): string[] {
  const data = at(source, 'spec', 'data');
  parseCron(String(at(source, 'spec', 'schedule')));
  const isJson = at(source, 'spec', 'contentType') === 'application/json';
  return [
    ...(isJson && !isObject(JSON.parse(String(data))) ? ['data is no JSON object'] : []),
    ...ofDestination('sink', at(source, 'spec', 'sink')),
  ];
}

function ofSinkBinding(binding: KubeObject): string[] {
  const subject = at(binding, 'spec', 'subject');
  return [
    ...ofDestination('sink', at(binding, 'spec', 'sink')),
    ...(['apiVersion', 'kind', 'name'].every((field) => at(subject, field)) ? [] : ['subject']),
    ...(at(subject, 'namespace') === binding.metadata.namespace
      ? []
      : ['the subject is in another namespace']),
  ];
}

export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const foreign = (what: string, value: unknown, known: readonly string[]): string[] =>
  Object.keys(isObject(value) ? value : {})
    .filter((field) => !known.includes(field))
    .map((field) => `${what}.${field} must not be set`);
