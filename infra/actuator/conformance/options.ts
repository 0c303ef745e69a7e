import { isJson, parseOptions } from '../../terminal/parse-arguments.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { type Api, apis } from './templates.ts';

export const help = `npm run conformance -- --url URL [options]

Checks whether a provider keeps to the actuator's HTTP contract (infra/actuator/openapi.yaml). It makes a few servers
and removes them again. Exit code: 0 if the provider keeps to the contract, 1 if not, 2 if the command line is wrong.

  --url URL              the provider's base URL; /v1/exists and the others are appended
  --token-file FILE      a file with the token that requests carry
  --token TOKEN          the token itself, which other users of this computer may see
  --machine FILE         a Machine of yours (YAML or JSON) that Machines are made from, with new names and UIDs
  --cluster FILE         the Cluster of yours that goes with it (v1alpha1 only)
  --api openshift|v1alpha1    check this Machine API only (default: both, or that of --machine)
  --timeout SECONDS      how long one request may take (default: 20)
  --deadline SECONDS     how long a server may take to come or to go (default: 600)
  -o, --output json      one JSON object per line instead of text
`;

const known = {
  url: { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  machine: { type: 'string' },
  cluster: { type: 'string' },
  api: { type: 'string' },
  timeout: { type: 'string', default: '20' },
  deadline: { type: 'string', default: '600' },
  output: { type: 'string', short: 'o', choices: ['json'] },
} as const;

/** What the command line says. */
export type Options = ReturnType<typeof readOptions>;

/** Throws UsageError. */
export function readOptions(args: readonly string[]) {
  const values = parseOptions(args, known);
  if (values.token !== undefined && values['token-file'] !== undefined) {
    throw new UsageError('--token and --token-file exclude each other');
  }
  const json = isJson(values.output);
  return {
    url: urlIn(values.url),
    token: values.token,
    tokenFile: values['token-file'],
    machineFile: values.machine,
    clusterFile: values.cluster,
    api: apiIn(values.api),
    timeoutSeconds: secondsIn('timeout', values.timeout),
    deadlineSeconds: secondsIn('deadline', values.deadline),
    json,
  };
}

function urlIn(text: string | undefined): string {
  if (text === undefined) throw new UsageError('--url is missing');
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UsageError(`--url takes an http or https URL without a query, not ${JSON.stringify(text)}`);
  }
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url takes no user: see --token-file');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function apiIn(text: string | undefined): Api | undefined {
  if (text === undefined || text === 'openshift' || text === 'v1alpha1') return text;
  throw new UsageError(`--api takes ${Object.keys(apis).join(' or ')}, not ${JSON.stringify(text)}`);
}

function secondsIn(name: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--${name} takes whole seconds, at least 1, not ${JSON.stringify(text)}`);
}
