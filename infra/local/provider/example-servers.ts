import type { Actuator, ActuatorAnswer, ActuatorTarget } from '../../../shared/actuator/port.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { InstanceLog } from '../../../shared/runtime/log.ts';
import type { Clock, Instant } from '../../../shared/time/clock.ts';
import type { LocalApi } from '../apis/local-api.ts';
import { objectOf } from '../kubernetes/server/json.ts';
import { providerIdIn } from './identity.ts';

interface Making {
  actuator: Actuator;
  api: LocalApi;
  clock: Clock;
  log: InstanceLog;
}

const patienceMilliseconds = 30_000;

/**
 * The servers of an example never were anywhere: without them its Machines would have failed from the start. Machines of
 * a dump got theirs from their owners. A provider that answers "retry later" gets 30 s in all.
 * Throws Unavailable when it cannot be asked.
 */
export async function makeExampleServers(machines: readonly KubeObject[], making: Making): Promise<void> {
  const { api, clock, log } = making;
  const until = clock.now() + patienceMilliseconds;
  for (const machine of machines) {
    if (providerIdIn(machine)?.startsWith('local:') !== true) continue;
    const answer = await create({ machine, cluster: clusterOf(machine, api) }, making, until);
    if (answer.kind === 'done') {
      rename(api, machine, answer.report.providerID);
      continue;
    }
    log.warn('Provider made no server', { machine: machine.metadata.name, why: answer.message });
  }
}

/** Asks again for as long as the provider wants to be asked again within the time. */
async function create(
  target: ActuatorTarget,
  { actuator, clock }: Pick<Making, 'actuator' | 'clock'>,
  until: Instant,
): Promise<ActuatorAnswer> {
  const answer = await orSaid(() => actuator.create(target));
  if (answer.kind !== 'retry') return answer;
  const milliseconds = 1_000 * Math.max(1, answer.afterSeconds);
  if (clock.now() + milliseconds > until) return answer;
  await new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
  return create(target, { actuator, clock }, until);
}

/** Names the variable in the error, so that its user sees the cause. */
async function orSaid<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    throw new Unavailable(`the provider of PHASEOUT_ACTUATOR_URL could not be asked: ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * The Node of an example has the provider id that its server had here. It takes that of the provider, or it would be
 * another Machine's.
 */
function rename({ apiServer }: LocalApi, machine: KubeObject, providerID: string | undefined): void {
  const before = providerIdIn(machine);
  if (providerID === undefined || providerID === before) return;
  const nodes = apiServer.cluster.list('nodes').filter((node) => providerIdIn(node) === before);
  for (const object of [machine, ...nodes]) {
    apiServer.restore({ ...object, spec: { ...objectOf(object['spec']), providerID } });
  }
}

/** Only Machines of v1alpha1 have a Cluster that the provider gets. */
function clusterOf({ metadata }: KubeObject, { apiServer: { cluster } }: LocalApi): KubeObject | undefined {
  const name = metadata.labels?.['cluster.k8s.io/cluster-name'];
  return name === undefined ? undefined : cluster.get('clusters.cluster.k8s.io', metadata.namespace, name);
}
