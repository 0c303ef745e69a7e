import { resolve } from 'node:path';
import { readDefinitions } from '../../knative/definitions.ts';
import { hookKeyCommand } from '../../knative/hook-key.ts';
import { installationOf } from '../../knative/installation.ts';
import { renderManifests } from '../../knative/manifests.ts';
import { machineApiChoices, type RenderOptions } from '../../knative/options.ts';
import { placeholderImage } from '../../serverless/provider-schema.ts';
import type { ToldOption, ToldOptions } from '../../terminal/option.ts';
import type { Outside } from '../../terminal/outside.ts';
import { parseOptions } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { counted } from '../../terminal/words.ts';
import { readServerlessFile } from './read-file.ts';
import { machineApiVersions, renderingOf, renderingOptions } from './rendering.ts';
import { writeFolder } from './write-folder.ts';

/** The kind is phaseout's own, so it comes along unless the user says otherwise. */
export const deletionHooksOption = {
  type: 'boolean',
  default: true,
  meaning: 'without the definition of DeletionHooks',
} as const satisfies ToldOption;

/** The same of DrainPolicies. */
export const drainPoliciesOption = {
  type: 'boolean',
  default: true,
  meaning: 'without the definition of DrainPolicies',
} as const satisfies ToldOption;

/** Options of `phaseout package`. */
export const packageOptions = {
  ...renderingOptions,
  'machine-apis': {
    ...renderingOptions['machine-apis'],
    offers: Object.keys(machineApiChoices),
    meaning:
      'with commas between them: capi, openshift, v1alpha1; capi-v1beta1 where Cluster API serves no newer one (default: capi, openshift and v1alpha1)',
  },
  'drain-rules': {
    type: 'boolean',
    meaning: 'with the definition of MachineDrainRules, for clusters without Cluster API',
  },
  policies: { type: 'boolean', meaning: 'with the admission policies (Kubernetes 1.30)' },
  'deletion-hooks': deletionHooksOption,
  'drain-policies': drainPoliciesOption,
  out: {
    type: 'string',
    value: 'DIR',
    isFile: true,
    meaning: 'the folder (default: .phaseout/manifests)',
  },
} as const satisfies ToldOptions;

/** `phaseout package`. Resolves with the exit code; throws what main knows how to say. */
export async function packageManifests(args: readonly string[], outside: Outside): Promise<number> {
  const values = parseOptions(args, packageOptions);
  const { out = '.phaseout/manifests' } = values;
  const rendering = renderingOf(values);
  const machineApis = machineApiVersions(values['machine-apis']);
  const file = await readServerlessFile(values.file, outside.folder);
  if (values.image === undefined && file.image === placeholderImage)
    throw new UsageError(
      'package needs --image: one that the cluster can pull, or a name that your kustomization replaces',
    );
  const definitions = await definitionsFor({
    'drain-rules': values['drain-rules'] ?? false,
    hooks: values['deletion-hooks'],
    'drain-policies': values['drain-policies'],
    admission: values.policies ?? false,
  });
  const options = { ...rendering, machineApis, ...definitions };
  const files = renderManifests(file, options);
  await writeFolder(resolve(outside.folder, out), files);
  outside.stdout.write(
    `${counted(files.size, 'file')} for: kubectl apply --server-side --force-conflicts -k ${out}\n`,
  );
  const command = hookKeyCommand(installationOf(file, options).environment);
  if (command !== undefined) outside.stdout.write(`once, for the key of DeletionHooks: ${command}\n`);
  return 0;
}

/** The definitions and the admission policies, where they are wanted, as options of what renders. */
export async function definitionsFor(
  wanted: Readonly<Record<'drain-rules' | 'hooks' | 'drain-policies' | 'admission', boolean>>,
): Promise<Required<Pick<RenderOptions, 'definitions' | 'besidePolicies'>>> {
  const lists = await Promise.all([
    wanted['drain-rules'] ? readDefinitions('drain-rules') : [],
    wanted.hooks ? readDefinitions('hooks') : [],
    wanted['drain-policies'] ? readDefinitions('drain-policies') : [],
    wanted.admission ? readDefinitions('admission') : [],
  ]);
  const besidePolicies = wanted.admission
    ? [
        ...(await readDefinitions('admission-beside')),
        ...(wanted.hooks ? await readDefinitions('admission-beside-hooks') : []),
        ...(await readDefinitions('admission-beside-openshift')),
      ]
    : [];
  return { definitions: lists.flat(), besidePolicies };
}
