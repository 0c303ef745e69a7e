import { type MachineApiName, machineApiNames } from '../../shared/dialects/registry.ts';
import { configVariables } from '../../shared/runtime/config-variables.ts';
import { forMachineApis } from '../serverless/for-machine-apis.ts';
import type { ServerlessFile, Trigger } from '../serverless/model.ts';
import { pingAddress } from '../serverless/resolve.ts';
import { leaseVariable } from './beside.ts';
import { dynamodbAddress } from './dynamodb-local.ts';
import { hookKeyVariable } from './hook-key.ts';
import type { Installation } from './installed.ts';
import type { RenderOptions } from './options.ts';

/** What serverless.yml says, as this cluster has it. */
export function installationOf(written: ServerlessFile, options: RenderOptions): Installation {
  const moved = inNamespace(written, options.namespace ?? written.namespace);
  const served = forMachineApis(moved, options.machineApis);
  const { broker } = served;
  const file =
    options.brokerClass === undefined ? served : { ...served, broker: inClass(broker, options.brokerClass) };
  const machineApis = machineApiNames.filter((name) => options.machineApis[name] !== undefined);
  return {
    file,
    image: options.image ?? file.image,
    machineApis,
    ...(options.namespaces === undefined ? {} : { namespaces: options.namespaces }),
    environment: environmentOf(file, machineApis, options),
    hasDynamodb: options.dynamodbLocal ?? false,
    hasHookKey: options.hookKey ?? false,
    definitions: options.definitions ?? [],
    besidePolicies: options.besidePolicies ?? [],
  };
}

/** Another class has no use for the configuration of the one that is written. */
function inClass(broker: ServerlessFile['broker'], name: string): ServerlessFile['broker'] {
  const { config, ...rest } = broker;
  return broker.class === name || config === undefined
    ? { ...broker, class: name }
    : { ...rest, class: name };
}

/** Set for each instance by Knative, or of use outside of a cluster only. */
const ofOneInstance: ReadonlySet<string> = new Set([
  'PORT',
  'K_SINK',
  'K_CA_CERTS',
  'NODE_NAME',
  'KUBECONFIG',
  'PHASEOUT_FUNCTIONS',
  'PHASEOUT_LISTEN_ADDRESS',
]);

function environmentOf(
  file: ServerlessFile,
  machineApis: readonly MachineApiName[],
  options: RenderOptions,
): Record<string, string> {
  const defaults = Object.values(configVariables)
    .filter(({ name }) => !ofOneInstance.has(name))
    .map(({ name, default: value }) => [name, value]);
  const resting = file.pingSources.find(({ atRest }) => atRest !== undefined);
  const said = { ...file.environment, ...options.environment };
  return {
    ...Object.fromEntries(defaults),
    ...leaseVariable(said, file.namespace),
    ...hookKeyVariable(file.namespace),
    ...(resting === undefined ? {} : { PHASEOUT_DUE_PING_SOURCE: `${resting.namespace}/${resting.name}` }),
    ...(options.dynamodbLocal === true ? { PHASEOUT_DYNAMODB_ENDPOINT: dynamodbAddress(file) } : {}),
    ...file.environment,
    ...(machineApis.length === 0 ? {} : { PHASEOUT_MACHINE_APIS: machineApis.join(',') }),
    ...(options.namespaces === undefined ? {} : { PHASEOUT_NAMESPACES: options.namespaces.join(',') }),
    ...options.environment,
  };
}

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
