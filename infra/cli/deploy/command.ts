import { type MachineApiName, machineApiNames } from '../../../shared/dialects/registry.ts';
import { renderObjects } from '../../knative/render.ts';
import type { ToldOptions } from '../../terminal/option.ts';
import type { Outside } from '../../terminal/outside.ts';
import { isJson, parseOptions, secondsOf } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { definitionsFor, deletionHooksOption, drainPoliciesOption } from '../package/package.ts';
import { readServerlessFile } from '../package/read-file.ts';
import { listIn, renderingOf, renderingOptions } from '../package/rendering.ts';
import { letGoOption, openSite, siteOptions } from './connect-site.ts';
import { deploy } from './deploy.ts';
import { reporterFor } from './report.ts';

const group = 'How it is applied:';

/** Options of `phaseout deploy`. */
export const deployOptions = {
  ...renderingOptions,
  'machine-apis': {
    ...renderingOptions['machine-apis'],
    meaning: 'with commas between them: capi, openshift, v1alpha1 (default: those that the cluster serves)',
  },
  'drain-rules': {
    type: 'boolean',
    default: true,
    meaning: 'without the definition of MachineDrainRules, where the cluster has none',
  },
  policies: { type: 'boolean', default: true, meaning: 'without the admission policies' },
  'deletion-hooks': deletionHooksOption,
  'drain-policies': drainPoliciesOption,
  'all-namespaces': {
    type: 'boolean',
    meaning:
      'for the Machines of all namespaces, where it was installed with --namespaces (Machines that it left to others so far, of another API or watch filter, it takes only where --machine-apis or --set PHASEOUT_WATCH_FILTER=... says so)',
  },
  abandon: {
    type: 'boolean',
    meaning:
      'even while Machines are being deleted that would no longer be looked after, because there are fewer --machine-apis or --namespaces, or another watch filter: they stay as they are',
  },
  'dry-run': { type: 'boolean', group, meaning: 'only say what would be created, changed and removed' },
  'force-mode': {
    type: 'boolean',
    group,
    meaning: 'in a mode that does not fit what runs in the cluster',
  },
  'let-go-of-others-nodes': { ...letGoOption, group },
  'force-conflicts': { type: 'boolean', group, meaning: 'take fields that belong to others' },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    group,
    meaning: 'how long to wait until all is ready (default: 600; 0 is for ever)',
  },
  ...siteOptions,
} as const satisfies ToldOptions;

const timeoutSeconds = '600';

/** `phaseout deploy`. Resolves with the exit code; throws what main knows how to say. */
export async function deployCommand(args: readonly string[], outside: Outside): Promise<number> {
  const values = parseOptions(args, deployOptions);
  if (values.image === undefined) throw new UsageError('deploy needs --image: one that the cluster can pull');
  if (values.namespaces !== undefined && values['all-namespaces'] === true) {
    throw new UsageError('--namespaces and --all-namespaces exclude each other');
  }
  const rendering = renderingOf(values);
  const how = {
    machineApis: machineApisOf(values['machine-apis']),
    unsaid: {
      namespaces: values.namespaces === undefined && values['all-namespaces'] !== true,
      machineApis: values['machine-apis'] === undefined,
      watchFilter: rendering.environment?.['PHASEOUT_WATCH_FILTER'] === undefined,
      dynamodbLocal: values['dynamodb-local'] === undefined,
    },
    said: Object.keys(rendering.environment ?? {}),
    abandon: values.abandon === true,
    letsGoOfOthersNodes: values['let-go-of-others-nodes'] === true,
    force: values['force-conflicts'] === true,
    forceMode: values['force-mode'] === true,
    dryRun: values['dry-run'] === true,
    timeoutSeconds: secondsOf(values.timeout ?? timeoutSeconds),
  };
  const tell = reporterFor({ json: isJson(values.output) }, outside);
  const file = await readServerlessFile(values.file, outside.folder);
  const definitions = await definitionsFor({
    'drain-rules': values['drain-rules'],
    hooks: values['deletion-hooks'],
    'drain-policies': values['drain-policies'],
    admission: values.policies,
  });

  await using site = openSite(values, { service: file.service, tell }, outside);
  const ended = await deploy(site, {
    ...how,
    namespace: rendering.namespace ?? file.namespace,
    render: (machineApis) =>
      renderObjects(file, { ...rendering, machineApis, ...definitions, hookKey: true }),
  });
  return ended === 'done' ? 0 : 130;
}

/** Their versions are those that the cluster serves. */
function machineApisOf(text: string | undefined): MachineApiName[] | undefined {
  if (text === undefined) return undefined;
  return listIn('--machine-apis', text).map((name) => {
    const found = machineApiNames.find((known) => known === name);
    if (found !== undefined) return found;
    const known = machineApiNames.join(', ');
    throw new UsageError(`there is no Machine API ${JSON.stringify(name)} (there are ${known})`);
  });
}
