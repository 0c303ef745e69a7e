import type { MachineApiName } from '../../shared/dialects/registry.ts';
import type { ApiServerSource, Filter, ServerlessFile, Trigger } from './model.ts';
import { sourceName } from './resolve.ts';

/** The Machine APIs that a cluster serves, each with the version to watch, such as `cluster.x-k8s.io/v1beta1`. */
export type MachineApiVersions = Partial<Record<MachineApiName, string>>;

/**
 * The same for a cluster that serves these Machine APIs alone, in these versions. A source does not start while its
 * resource is unknown. Events name the version that is watched.
 */
export const forMachineApis = (file: ServerlessFile, versions: MachineApiVersions): ServerlessFile => ({
  ...file,
  apiServerSources: file.apiServerSources.flatMap((source) => servedSource(source, versions)),
  triggers: file.triggers.flatMap((trigger) => servedTrigger(trigger, versions)),
});

function servedSource(source: ApiServerSource, versions: MachineApiVersions): ApiServerSource[] {
  if (source.machineApi === undefined) return [source];
  const apiVersion = versions[source.machineApi];
  return apiVersion === undefined
    ? []
    : [{ ...source, apiVersion, name: sourceName({ ...source, apiVersion }) }];
}

function servedTrigger(trigger: Trigger, versions: MachineApiVersions): Trigger[] {
  const { machineApi, filter, filters = [] } = trigger;
  if (machineApi === undefined) return [trigger];
  const apiversion = versions[machineApi];
  if (apiversion === undefined) return [];
  const simple = filter && { filter: { attributes: { ...filter.attributes, apiversion } } };
  return [{ ...trigger, ...simple, filters: filters.map((each) => inVersion(each, apiversion)) }];
}

const inVersion = (filter: Filter, apiversion: string): Filter =>
  'exact' in filter && filter.exact['apiversion'] !== undefined
    ? { exact: { ...filter.exact, apiversion } }
    : filter;
