import { hasBeside } from '../../../shared/dialects/registry.ts';
import { installationNameProblem } from '../../hook/hooked-apis.ts';
import type { ToldOptions } from '../../terminal/option.ts';
import type { Outside } from '../../terminal/outside.ts';
import { isJson, parseArguments, type ValuesOf } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { openSite, siteOptions } from '../deploy/connect-site.ts';
import { reporterFor } from '../deploy/report.ts';
import { asTyped, type MachineName, parseMachineName } from '../machine-name.ts';
import { namespaceOf } from '../source.ts';
import { type Released, release } from './release.ts';

/** Options of `phaseout release`. */
export const releaseOptions = {
  all: { type: 'boolean', meaning: 'all Machines that have the hook' },
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    names: 'namespaces',
    meaning: 'of Machines that are named by NAME alone; with --all: those of this namespace',
  },
  installation: {
    type: 'string',
    value: 'NAME',
    meaning: 'whose hook: the name of the installation, if it has one (PHASEOUT_INSTALLATION)',
  },
  yes: {
    type: 'boolean',
    meaning: 'also where functions of DeletionHooks were to be asked first',
  },
  'dry-run': { type: 'boolean', meaning: 'only say which Machines would be released' },
  ...siteOptions,
} as const satisfies ToldOptions;

/** What the command line says, and what is for the site. Throws UsageError. */
export function readReleaseOptions(args: readonly string[]) {
  const { values, rest } = parseArguments(args, releaseOptions);
  const { installation = '', 'dry-run': isDryRun = false, yes: isAgreed = false } = values;
  const problem = installationNameProblem(installation);
  if (problem !== undefined) throw new UsageError(`--installation: ${problem}`);
  return { values, installation, isDryRun, isAgreed, released: releasedBy(values, rest) };
}

function releasedBy(values: ValuesOf<typeof releaseOptions>, rest: readonly string[]): Released {
  const { all = false } = values;
  const namespace = namespaceOf(values);
  if (all && rest.length > 0) throw new UsageError('--all and names of Machines exclude each other');
  if (all) return namespace === undefined ? {} : { namespace };
  if (rest.length === 0) throw new UsageError('release needs the NAMESPACE/NAME of Machines, or --all');
  return rest.map((text) => nameWithHook(text, namespace));
}

function nameWithHook(text: string, namespace: string | undefined): MachineName {
  const name = parseMachineName(text, namespace);
  if (name.api === undefined || hasBeside(name.api)) return name;
  throw new UsageError(`release is for Machines of Cluster API and OpenShift, and ${asTyped(name)} is none`);
}

/** `phaseout release`. Resolves with the exit code; throws what main knows how to say. */
export async function releaseCommand(args: readonly string[], outside: Outside): Promise<number> {
  const { values, ...what } = readReleaseOptions(args);
  const tell = reporterFor({ json: isJson(values.output) }, outside);
  await using site = openSite(values, { service: 'phaseout', tell }, outside);
  return (await release(site, what)) === 'done' ? 0 : 130;
}
