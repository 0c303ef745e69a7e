import { resolve } from 'node:path';
import { readDefinitions } from '../../knative/definitions.ts';
import { renderManifests } from '../../knative/manifests.ts';
import type { RenderOptions } from '../../knative/options.ts';
import type { Outside } from '../../terminal/outside.ts';
import { parseOptions } from '../../terminal/parse-arguments.ts';
import { counted } from '../../terminal/words.ts';
import { readServerlessFile } from './read-file.ts';
import { machineApiVersions, renderingOf, renderingOptions } from './rendering.ts';
import { writeFolder } from './write-folder.ts';

/** Options of `phaseout package`. */
export const packageOptions = { ...renderingOptions, out: { type: 'string', isFile: true } } as const;

/** `phaseout package`. Resolves with the exit code; throws what main knows how to say. */
export async function packageManifests(args: readonly string[], outside: Outside): Promise<number> {
  const values = parseOptions(args, packageOptions);
  const { out = '.phaseout/manifests' } = values;
  const rendering = renderingOf(values);
  const machineApis = machineApiVersions(values['machine-apis']);
  const file = await readServerlessFile(values.file, outside.folder);
  const wanted = { 'drain-rules': values['drain-rules'] ?? false, admission: values.policies ?? false };
  const definitions = await definitionsFor(wanted);
  const files = renderManifests(file, { ...rendering, machineApis, ...definitions });
  await writeFolder(resolve(outside.folder, out), files);
  outside.stdout.write(
    `${counted(files.size, 'file')} for: kubectl apply --server-side --force-conflicts -k ${out}\n`,
  );
  return 0;
}

/** The definition of MachineDrainRules and the admission policies, where they are wanted, as options of what renders. */
export async function definitionsFor(
  wanted: Readonly<Record<'drain-rules' | 'admission', boolean>>,
): Promise<Required<Pick<RenderOptions, 'definitions' | 'besidePolicies'>>> {
  const lists = await Promise.all([
    wanted['drain-rules'] ? readDefinitions('drain-rules') : [],
    wanted.admission ? readDefinitions('admission') : [],
  ]);
  const besidePolicies = wanted.admission
    ? [
        ...(await readDefinitions('admission-beside')),
        ...(await readDefinitions('admission-beside-openshift')),
      ]
    : [];
  return { definitions: lists.flat(), besidePolicies };
}
