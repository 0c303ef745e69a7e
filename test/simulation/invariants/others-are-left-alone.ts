import { textAt } from '../../../shared/dialects/fields.ts';
import type { Config } from '../../../shared/runtime/config.ts';
import { management } from '../platform/clusters.ts';
import { nameOf } from '../story/news.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { judgingRequests } from './sight/judging.ts';
import type { Effect } from './sight/seen-effect.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** What phaseout may read and write in the namespaces of its Machines alone, where these are given. */
const besideMachines =
  /^(machines|clusters|machinedrainrules|events|secrets)\b|\.(infrastructure|bootstrap|controlplane)\./;

/** Phaseout may be there for the Machines of some namespaces alone, or for those with a label. */
export const othersAreLeftAlone: Invariant = {
  name: 'Machines that phaseout is not there for are left alone, and their namespaces not looked into',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const writes = judgingRequests(witness, (effect) => wrongWith(effect, witness), violated);
    return {
      before(exchange) {
        const { instance, verb, resource, namespace } = exchange;
        const isElsewhere = isOutside(exchange, world.config) && !isAboutDeployment(exchange);
        if (instance.startsWith('instance') && isElsewhere)
          violated(`${instance} asks to ${verb} ${resource} in ${namespace || 'all namespaces'}`);
        writes.before?.(exchange);
      },
      asked({ instance, operation, machine }) {
        const { apiVersion = '', metadata } = machine;
        if (!isKnown(witness, { apiVersion, ...metadata }))
          violated(
            `${instance} has the provider ${operation} the server of Machine ${nameOf(machine)}: ${others}`,
          );
      },
    };
  },
};

function isOutside({ host, resource, namespace, name }: Exchange, config: Config): boolean {
  const { namespaces, actuatorSecret, hookKey } = config;
  if (namespaces.length === 0 || namespaces.includes(namespace)) return false;
  const isConfigured = resource === 'secrets' && [actuatorSecret, hookKey].includes(`${namespace}/${name}`);
  return host === management && besideMachines.test(resource) && !isConfigured;
}

const others = 'it is none that phaseout is there for';

/** By its name: one that was made again has another UID. */
function isKnown(witness: Witness, { apiVersion, namespace = '', name }: Named): boolean {
  const [group] = apiVersion.split('/');
  return witness.machineNamed(`machines.${group}`, namespace, name) !== undefined;
}

/** An Event of a restart. It is where the Deployment is. */
const isAboutDeployment = ({ resource, body }: Exchange): boolean =>
  resource === 'events' && textAt(body, 'involvedObject', 'kind') === 'Deployment';

interface Named {
  apiVersion: string;
  namespace?: string | undefined;
  name: string;
}

function wrongWith({ kind, plan, exchange, object }: Effect, witness: Witness): string | undefined {
  const { host, resource, namespace, body } = exchange;
  if (kind !== 'Event') return resource.startsWith('machines.') && object && !plan ? others : undefined;
  const about = (field: string): string => textAt(body, 'involvedObject', field) ?? '';
  if (isAboutDeployment(exchange)) {
    const deployment = witness.past.present.get(host, 'deployments.apps', namespace, about('name'));
    const machines = deployment?.metadata.annotations?.['phaseout.dev/restarted-for'] ?? '';
    return machines.split(',').every((uid) => witness.machineWithUid(uid) === undefined) ? others : undefined;
  }
  const named = { apiVersion: about('apiVersion'), namespace, name: about('name') };
  return isKnown(witness, named) ? undefined : others;
}
