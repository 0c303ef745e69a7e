import { textAt } from '../../../../shared/dialects/fields.ts';
import { kubeconfigOf } from '../../../stories/stage/carriage.ts';
import { watchesOf } from '../../faults/events/watches.ts';
import type { Fault } from '../../faults/fault.ts';
import { management } from '../../platform/clusters.ts';
import { secretFor } from '../build/build.ts';
import { aClusterOf } from './a-cluster.ts';
import { type DeedSetting, deed, later, nameOf } from './deed.ts';

const secrets = 'secrets';
/** What stands in the Secret for a while. */
const replacements = ['nonsense', '', null] as const;

/** A Cluster's Secret, and the host that it leads to. */
interface Way {
  namespace: string;
  name: string;
  host: string;
}

/** As it must be by now. */
const rightFor = ({ world }: DeedSetting, { host, ...way }: Way): ReturnType<typeof secretFor> =>
  secretFor({ ...way, host: world.addresses.of(host) });

/** Renewed, or broken or gone for a while. */
function replaceKubeconfig(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const found = aClusterOf(setting);
  if (found === undefined) return undefined;
  const { namespace = '', name } = found.cluster.metadata;
  const way = { namespace, name, host: found.plan.host };
  const right = rightFor(setting, way);
  const secret = world.management.get(secrets, namespace, right.metadata.name);
  if (secret === undefined) return undefined;
  if (random.chance(0.4)) {
    const metadata = { labels: { renewed: String(world.now()) } };
    world.management.patch(secrets, secret, { data: right.data, metadata });
    return `renews the Secret ${nameOf(secret)}`;
  }
  const text = random.oneOf(replacements);
  if (text === null) world.management.remove(secrets, secret);
  else world.management.patch(secrets, secret, { data: { value: Buffer.from(text).toString('base64') } });
  later(setting, random.between(1_000, 20_000), () => mendSecret(setting, way));
  return text === null
    ? `deletes the Secret ${nameOf(secret)}`
    : `writes "${text}" into the Secret ${nameOf(secret)}`;
}

function mendSecret(setting: DeedSetting, way: Way): void {
  const { world } = setting;
  const right = rightFor(setting, way);
  const { namespace, name } = right.metadata;
  const found = world.management.get(secrets, namespace, name);
  if (found === undefined) world.management.create(secrets, right);
  else world.management.patch(secrets, found, { data: right.data });
  world.say('a user', `mends the Secret ${namespace}/${name}`);
}

/** The Secrets of all Clusters that lead to where the server is now, and so will lead nowhere. */
function waysTo({ world }: DeedSetting, host: string): Way[] {
  const leading = Buffer.from(kubeconfigOf(world.addresses.of(host))).toString('base64');
  return world.management
    .list(secrets)
    .filter((secret) => textAt(secret, 'data', 'value') === leading)
    .map(({ metadata: { namespace = '', name } }) => ({
      namespace,
      name: name.slice(0, -'-kubeconfig'.length),
      host,
    }));
}

/** The server of a workload cluster; its Secrets say so at once, or each of them some time later. */
function move(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const found = aClusterOf(setting, ({ plan }) => plan.host !== management);
  if (found === undefined) return undefined;
  const { host } = found.plan;
  const left = random.chance(0.6) ? 'refused' : 'unauthorized';
  const ways = waysTo(setting, host);
  world.addresses.move(host, left);
  for (const watch of watchesOf(world).filter(({ exchange }) => exchange.host === host)) watch.cut();
  for (const way of ways)
    if (random.chance(0.4)) mendSecret(setting, way);
    else later(setting, random.between(1_000, 60_000), () => mendSecret(setting, way));
  return left === 'refused'
    ? `moves ${host} to another address: ${world.addresses.of(host)}`
    : `gives ${host} other credentials, for which ${world.addresses.of(host)} stands`;
}

/** What users do with the way to a cluster. */
export const kubeconfigDeeds: readonly Fault[] = [
  deed({
    name: 'kubeconfig-replaced',
    about: 'The Secret that leads to a cluster is renewed, or broken or gone for a while.',
    run: replaceKubeconfig,
  }),
  deed({
    name: 'cluster-moved',
    about:
      'The API of a workload cluster gets another address or other credentials, and its Secret says so soon.',
    run: move,
  }),
];
