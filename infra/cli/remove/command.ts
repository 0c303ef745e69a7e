import type { ToldOptions } from '../../terminal/option.ts';
import type { Outside } from '../../terminal/outside.ts';
import { isJson, parseOptions } from '../../terminal/parse-arguments.ts';
import { letGoOption, openSite, siteOptions } from '../deploy/connect-site.ts';
import { reporterFor } from '../deploy/report.ts';
import { readServerlessFile } from '../package/read-file.ts';
import { renderingOf, renderingOptions } from '../package/rendering.ts';
import { remove } from './remove.ts';

/** Options of `phaseout remove`. */
export const removeOptions = {
  namespace: {
    ...renderingOptions.namespace,
    names: 'namespaces',
    meaning: 'where it is installed (default: phaseout)',
  },
  abandon: {
    type: 'boolean',
    meaning: 'even while Machines are being deleted, or keep the hook: they stay as they are',
  },
  'let-go-of-others-nodes': letGoOption,
  'with-data': {
    type: 'boolean',
    meaning:
      'with the volume of DynamoDB Local, and with the definitions of MachineDrainRules, DeletionHooks and DrainPolicies and all of these',
  },
  file: renderingOptions.file,
  ...siteOptions,
} as const satisfies ToldOptions;

/** `phaseout remove`. Resolves with the exit code; throws what main knows how to say. */
export async function removeCommand(args: readonly string[], outside: Outside): Promise<number> {
  const values = parseOptions(args, removeOptions);
  const { namespace } = renderingOf(values);
  const tell = reporterFor({ json: isJson(values.output) }, outside);
  const file = await readServerlessFile(values.file, outside.folder);
  await using site = openSite(values, { service: file.service, tell }, outside);
  const ended = await remove(site, {
    namespace: namespace ?? file.namespace,
    abandon: values.abandon ?? false,
    letsGoOfOthersNodes: values['let-go-of-others-nodes'] ?? false,
    withData: values['with-data'] ?? false,
  });
  return ended === 'done' ? 0 : 130;
}
