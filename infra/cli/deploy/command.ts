import { type MachineApiName, machineApiNames } from '../../../shared/dialects/registry.ts';
import { renderObjects } from '../../knative/render.ts';
import type { Outside } from '../../terminal/outside.ts';
import { isJson, type OptionsConfig, parseOptions, secondsOf } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { definitionsFor } from '../package/package.ts';
import { readServerlessFile } from '../package/read-file.ts';
import { listIn, renderingOf, renderingOptions } from '../package/rendering.ts';
import { openSite, siteOptions } from './connect-site.ts';
import { deploy } from './deploy.ts';
import { reporterFor } from './report.ts';

/** Options of `phaseout deploy`. */
export const deployOptions = {
  ...renderingOptions,
  ...siteOptions,
  'all-namespaces': { type: 'boolean' },
  abandon: { type: 'boolean' },
  'let-go-of-others-nodes': { type: 'boolean' },
  'force-conflicts': { type: 'boolean' },
  'force-mode': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  timeout: { type: 'string' },
} as const satisfies OptionsConfig;

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
  const wanted = { 'drain-rules': values['drain-rules'] ?? true, admission: values.policies ?? true };
  const definitions = await definitionsFor(wanted);

  await using site = openSite(values, { service: file.service, tell }, outside);
  const ended = await deploy(site, {
    ...how,
    namespace: rendering.namespace ?? file.namespace,
    render: (machineApis) => renderObjects(file, { ...rendering, machineApis, ...definitions }),
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
