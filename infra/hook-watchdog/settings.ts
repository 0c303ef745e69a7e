import { ConfigInvalid } from '../../shared/runtime/config.ts';
import { installationNameProblem } from '../hook/hooked-apis.ts';

/** The installation whose hooks these are. */
export interface Settings {
  /** Its name, empty where it has none. */
  installation: string;
  /** Where its Lease is. */
  leaseNamespace: string;
  /** Where its Machines are; everywhere if empty. */
  namespaces: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws ConfigInvalid. */
export function readSettings(env: Variables): Settings {
  const installation = env['PHASEOUT_INSTALLATION'] ?? '';
  const leaseNamespace = env['LEASE_NAMESPACE'] ?? '';
  const problems: string[] = [];
  const problem = installationNameProblem(installation);
  if (problem !== undefined) problems.push(`PHASEOUT_INSTALLATION: ${problem}`);
  // Without it no Lease would be found, and that would tell of an installation that is gone.
  if (leaseNamespace === '') problems.push('LEASE_NAMESPACE must name the namespace of the installation');
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return { installation, leaseNamespace, namespaces: namesIn(env['PHASEOUT_NAMESPACES'] ?? '') };
}

const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
