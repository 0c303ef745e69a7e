import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { at, foreign, list, text } from './at.ts';

/** Without any of the features that an operator of Knative Serving has to switch on. */
export function ofService(service: KubeObject): string[] {
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
      .filter((port) => !['', 'http1', 'h2c'].includes(text(at(port, 'name'))))
      .map(() => 'a port has a name of its own'),
  ];
}

const ofTimeout = (seconds: unknown): string[] =>
  typeof seconds === 'number' && seconds > 0 && seconds <= 600 ? [] : ['timeoutSeconds is out of bounds'];

function ofScaling(annotations: unknown): string[] {
  const value = (name: string) => at(annotations, `autoscaling.knative.dev/${name}`);
  const window = text(value('window'));
  return [
    ...(value('initial-scale') === '0' ? ['initial-scale 0 needs allow-zero-initial-scale'] : []),
    ...(/^(\d+s)?$/.test(window) ? [] : ['window is not in whole seconds']),
    ...(Number(value('max-scale')) !== 0 && Number(value('min-scale')) > Number(value('max-scale'))
      ? ['min-scale is more than max-scale']
      : []),
  ];
}
