import type { Dialect } from '../../shared/dialects/dialect.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { dialectsOf } from '../../shared/dialects/registry.ts';
import type { OpenStore } from './open-store.ts';
import type { Needed } from './readiness.ts';
import { servedMachineApi } from './served-machine-apis.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';

interface Reached {
  management: Pick<Kubernetes, 'discover'>;
  opened: Pick<OpenStore, 'answer'>;
  config: Config;
  log: Log;
}

/** What the functions cannot do without. Both reads take no right that the functions do not need anyway. */
export const needsOf = (reached: Reached): Needed[] => [
  { name: 'the Kubernetes API', ask: () => askForMachineApis(reached) },
  { name: 'the store', ask: () => reached.opened.answer() },
];

/**
 * Which Machine APIs there are is also the first thing that anybody with a problem wants to know. One of them may be
 * out of order by itself, where another server answers for it: then the others are enough.
 */
async function askForMachineApis(reached: Reached): Promise<void> {
  const { config, log } = reached;
  const answers = await Promise.all(dialectsOf(config).map((dialect) => askFor(dialect, reached)));
  const served = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []));
  const failures = answers.filter((answer) => answer instanceof Unavailable);
  const [failure] = failures;
  if (failure !== undefined && failures.length === answers.length) throw failure;
  for (const { message: why } of failures) log.warn('Machine API could not be asked for', { why });
  if (served.length > 0) log.info('Machine APIs are served', { served });
  // An answer as well, and one that may be another tomorrow.
  else log.warn('No Machine API is served');
}

/** The served versions; may be empty. */
async function askFor(dialect: Dialect, { management }: Reached): Promise<string[] | Unavailable> {
  try {
    const api = await servedMachineApi(management, dialect);
    return api === undefined ? [] : [api.apiVersion];
  } catch (error) {
    if (error instanceof Unavailable) return error;
    throw error;
  }
}
