import { actionsByWord } from '../../../shared/blocked/entry.ts';
import { machineApiNames, modes } from '../../../shared/dialects/registry.ts';
import { mode } from '../../../shared/runtime/mode.ts';
import { machineApiChoices, newestVersions, type RenderOptions } from '../../knative/options.ts';
import { environmentSchema } from '../../serverless/environment-schema.ts';
import type { MachineApiVersions } from '../../serverless/for-machine-apis.ts';
import { issueMessage } from '../../serverless/issue-message.ts';
import { objectName } from '../../serverless/provider-schema.ts';
import type { ToldOptions } from '../../terminal/option.ts';
import type { ValuesOf } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';

/** What a cluster decides, as options of the command line. */
export const renderingOptions = {
  image: { type: 'string', value: 'IMAGE', meaning: "of the functions, as the cluster's Nodes can pull it" },
  'machine-apis': {
    type: 'string',
    value: 'NAMES',
    offers: machineApiNames,
    meaning: 'with commas between them: capi, openshift, v1alpha1',
  },
  namespace: {
    type: 'string',
    value: 'NAME',
    meaning: 'where everything is installed (default: phaseout)',
  },
  namespaces: {
    type: 'string',
    value: 'NAMES',
    meaning: 'where the Machines are: what is needed only there is allowed only there (default: everywhere)',
  },
  'broker-class': {
    type: 'string',
    value: 'CLASS',
    meaning: 'MTChannelBasedBroker (for trials), Kafka, RabbitMQBroker, or what the cluster has by default',
  },
  'dynamodb-local': { type: 'boolean', meaning: 'bring a store along, for clusters without AWS' },
  mode: {
    type: 'string',
    value: 'MODE',
    offers: modes,
    meaning:
      "beside (default): the own controllers of Cluster API and OpenShift go on, and wait for phaseout's hook; replace: in their place; observe: only watch, and write nothing; or one for each Machine API: capi:beside,v1alpha1:observe",
  },
  actions: {
    type: 'string',
    value: 'NAMES',
    offers: Object.keys(actionsByWord),
    meaning:
      'what DrainPolicies may do about Pods that are not let go, with the rights for it: rollout-restart, delete, with a comma between them (default: nothing)',
  },
  set: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    meaning: 'variables of the functions, over those of serverless.yml',
  },
  file: {
    type: 'string',
    value: 'FILE',
    isFile: true,
    meaning: "another serverless.yml than phaseout's own",
  },
} as const satisfies ToldOptions;

export type Rendering = Omit<RenderOptions, 'machineApis' | 'definitions' | 'besidePolicies'>;

/** Throws UsageError. */
export function renderingOf(values: ValuesOf<typeof renderingOptions>): Rendering {
  const { image, namespace, namespaces, 'broker-class': brokerClass, set = [] } = values;
  const settings = [
    ...(values.mode === undefined ? [] : [`PHASEOUT_MODE=${modeIn(values.mode)}`]),
    ...(values.actions === undefined ? [] : [`PHASEOUT_ACTIONS=${actionsIn(values.actions)}`]),
    ...set,
  ];
  return {
    ...(image !== undefined && { image: imageOf(image) }),
    ...(namespace !== undefined && { namespace: nameIn('--namespace', namespace) }),
    ...(namespaces !== undefined && {
      namespaces: listIn('--namespaces', namespaces).map((name) => nameIn('--namespaces', name)),
    }),
    ...(brokerClass !== undefined && { brokerClass }),
    ...(values['dynamodb-local'] === true && { dynamodbLocal: true }),
    ...(settings.length > 0 && { environment: environmentOf(settings) }),
  };
}

/** One mode, or one for each Machine API. */
function modeIn(text: string): string {
  const parsed = mode.safeParse(text);
  if (parsed.success) return text;
  throw new UsageError(
    `--mode ${parsed.error.issues[0]?.message ?? 'is wrong'}, not ${JSON.stringify(text)}`,
  );
}

function actionsIn(text: string): string {
  const words = listIn('--actions', text);
  const unknown = words.find((word) => !(word in actionsByWord));
  if (unknown === undefined) return words.join(',');
  const known = Object.keys(actionsByWord).join(', ');
  throw new UsageError(`there is no action ${JSON.stringify(unknown)} (there are ${known})`);
}

function imageOf(image: string): string {
  if (image === '' || /\s/.test(image))
    throw new UsageError(`--image takes an image, not ${JSON.stringify(image)}`);
  return image;
}

function nameIn(option: string, name: string): string {
  const parsed = objectName.safeParse(name);
  if (parsed.success) return name;
  throw new UsageError(
    `${option}: ${JSON.stringify(name)} ${parsed.error.issues[0]?.message ?? 'is no name'}`,
  );
}

/** Names with commas between them. */
export function listIn(option: string, text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new UsageError(`${option} takes names with commas between them, not ${JSON.stringify(text)}`);
  return [...new Set(names)];
}

function environmentOf(settings: readonly string[]): Record<string, string> {
  const environment = Object.fromEntries(settings.map(settingOf));
  const parsed = environmentSchema.safeParse(environment);
  if (parsed.success) return environment;
  const problems = parsed.error.issues.map(
    (issue) => `--set ${issue.path.join('.')}: ${issueMessage(issue)}`,
  );
  throw new UsageError(problems.join('\n'));
}

function settingOf(setting: string): [string, string] {
  const at = setting.indexOf('=');
  if (at < 1) throw new UsageError(`--set takes NAME=VALUE, not ${JSON.stringify(setting)}`);
  return [setting.slice(0, at), setting.slice(at + 1)];
}

/** The Machine APIs, where no cluster is there to be asked for their versions. Throws UsageError. */
export function machineApiVersions(text: string | undefined): MachineApiVersions {
  if (text === undefined) return newestVersions;
  const chosen = listIn('--machine-apis', text).map((name) => {
    const found = Object.hasOwn(machineApiChoices, name) ? machineApiChoices[name] : undefined;
    if (found !== undefined) return found;
    const known = Object.keys(machineApiChoices).join(', ');
    throw new UsageError(`there is no Machine API ${JSON.stringify(name)} (there are ${known})`);
  });
  const apis = chosen.map(({ api }) => api);
  if (new Set(apis).size < apis.length)
    throw new UsageError('--machine-apis: capi and capi-v1beta1 exclude each other');
  return Object.fromEntries(chosen.map(({ api, apiVersion }) => [api, apiVersion]));
}
