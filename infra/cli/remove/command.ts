import type { Outside } from '../../terminal/outside.ts';
import { isJson, type OptionsConfig, parseOptions } from '../../terminal/parse-arguments.ts';
import { openSite, siteOptions } from '../deploy/connect-site.ts';
import { reporterFor } from '../deploy/report.ts';
import { readServerlessFile } from '../package/read-file.ts';
import { renderingOf } from '../package/rendering.ts';
import { remove } from './remove.ts';

/** Options of `phaseout remove`. */
export const removeOptions = {
  ...siteOptions,
  file: { type: 'string', isFile: true },
  namespace: { type: 'string' },
  abandon: { type: 'boolean' },
  'let-go-of-others-nodes': { type: 'boolean' },
  'with-data': { type: 'boolean' },
} as const satisfies OptionsConfig;

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
