import type { Dialect } from '../../shared/dialects/dialect.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Config } from '../../shared/runtime/config.ts';
import { dialectsFor } from '../../shared/runtime/dialects-for.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import type { OpenStore } from './open-store.ts';
import type { Needed } from './readiness.ts';
import { servedMachineApi } from './served-machine-apis.ts';

interface Reached {
  management: Pick<Kubernetes, 'discover'>;
  opened: Pick<OpenStore, 'answer'>;
  config: Config;
  log: InstanceLog;
}

/** What the functions need to work. Both reads use only permissions that the functions need anyway. */
export const needsOf = (reached: Reached): Needed[] => [
  { name: 'the Kubernetes API', ask: () => askForMachineApis(reached) },
  { name: 'the store', ask: () => reached.opened.answer() },
];

/**
 * The list of Machine APIs is also the first thing to know in case of a problem. One API may fail alone, if an
 * aggregated server answers for it: then the others are enough.
 */
async function askForMachineApis(reached: Reached): Promise<void> {
  const { config, log } = reached;
  const answers = await Promise.all(dialectsFor(config).map((dialect) => askFor(dialect, reached)));
  const served = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []));
  const failures = answers.filter((answer) => answer instanceof Unavailable);
  const [failure] = failures;
  if (failure !== undefined && failures.length === answers.length) throw failure;
  for (const { message: why } of failures) log.warn('Machine API could not be asked for', { why });
  if (served.length > 0) log.info('Machine APIs are served', { served });
  // This is an answer too, and a later answer may differ.
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
