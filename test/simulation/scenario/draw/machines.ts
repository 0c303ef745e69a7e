import type { Random } from '../../random.ts';
import type { MachineBlueprint } from '../blueprint.ts';
import { aCluster, aMachine, aNode, type Draft, type Setting, type Site } from './draft.ts';
import { drawServer, newServer, stirred } from './servers.ts';
import { drawSpecials, excludeDrain } from './specials.ts';

export const maxMachines = 12;

/** The Machines of a site with their Nodes: a control plane, workers, and something wrong with some of them. */
export function drawMachines(draft: Draft, site: Site, random: Random, setting: Setting): void {
  drawControlPlane(draft, site, random.fork('control plane'), setting);
  const workers = Math.min(site.workers, maxMachines - draft.machines.length);
  for (let index = 1; index <= workers; index += 1) {
    const own = random.fork(`worker ${index}`);
    const isFirst = draft.machines.every(({ deletedAt }) => deletedAt.length === 0);
    const deletedAt = isFirst || own.chance(0.8) ? drawDeletions(own, setting.latest, isFirst) : [];
    drawWorker(
      draft,
      site,
      own,
      { name: `${nameIn(site)}-worker-${index}`, node: `node-${index}`, deletedAt },
      setting,
    );
  }
}

const nameIn = ({ names, cluster, api }: Site): string => names ?? cluster ?? `${api}-shop`;

/** Some users ask twice. */
export function drawDeletions(random: Random, latest: number, isFirst: boolean): number[] {
  const at = isFirst || random.chance(0.6) ? random.between(200, 4_000) : random.between(200, latest);
  return random.chance(0.15) ? [at, at + random.between(1, 8_000)] : [at];
}

function drawWorker(
  draft: Draft,
  site: Site,
  random: Random,
  known: Pick<MachineBlueprint, 'name' | 'node' | 'deletedAt'>,
  setting: Setting,
): void {
  const { api, host } = site;
  const isSpecial = known.deletedAt.length > 0;
  const isJoined = !isSpecial || !random.chance(0.05);
  const parts = {
    ...known,
    labels: { pool: random.oneOf(['a', 'b']) },
    ...(isSpecial ? drawSpecials(site, random, setting) : {}),
  };
  const machine = aMachine(site, { ...parts, ...drawServer(site, random.fork('server'), setting, parts) });
  const { node = '', providerID, server } = machine;
  const isNew = server?.state === 'not made';
  const hasNode = isJoined && !isNew;
  const finalizers = random.chance(isSpecial ? 0.06 : 0) ? ['nodes.example/inventory'] : [];
  const shown =
    isSpecial && isForeign(random.fork('foreign'), machine) ? drawAnother(random, machine) : providerID;
  if (hasNode) draft.nodes.push(aNode({ host, name: node, providerID: shown, finalizers }));
  draft.machines.push({
    ...stirred(random.fork('stirred'), machine),
    ...(shown === '' && { isNodeTaken: true }),
    ...(api === 'openshift' && !hasNode && !isNew && { hasNodeRef: random.chance(0.5) }),
  });
}

/** The Node of its name is another server's: seldom, where a drain comes to it first. */
const isForeign = (random: Random, machine: MachineBlueprint): boolean =>
  random.chance(isUndrained(machine) ? 0.35 : 0.05);

const isUndrained = ({ api, annotations }: MachineBlueprint): boolean =>
  api === 'v1alpha1' || Object.values(excludeDrain).some((key) => key in annotations);

/** Where no providerID tells, the UID that the Machine knows does: the Node of its name came later. */
const drawAnother = (random: Random, machine: MachineBlueprint): string =>
  machine.api !== 'capi' && isUndrained(machine) && random.fork('how foreign').chance(0.6)
    ? ''
    : `${machine.providerID}-other`;

function drawControlPlane(draft: Draft, site: Site, random: Random, setting: Setting): void {
  if (site.api === 'openshift') return drawMasters(draft, site, random, setting);
  const { cluster: name = '' } = site;
  const kind =
    site.api === 'capi'
      ? random.oneOf(['machines', 'machines', 'machines', 'machines', 'external', 'none'])
      : 'machines';
  const isPaused = site.api === 'capi' && random.chance(0.02);
  const controlPlane = kind === 'external' ? kind : undefined;
  draft.clusters.push(aCluster(site, { controlPlane, isPaused }));
  const members =
    kind === 'machines' ? random.oneOf(site.api === 'capi' ? [1, 1, 1, 2] : [2, 2, 2, 1, 0]) : 0;
  const together = drawTogether(random.fork('together'), site);
  for (let member = 1; member <= members; member += 1) {
    const alone = random.chance(0.06) ? drawDeletions(random, setting.latest, false) : [];
    const deletedAt = together?.() ?? alone;
    drawMember(draft, site, random.fork(`server ${member}`), {
      name: `${name}-cp-${member}`,
      // A Machine that is never deleted needs no Node of its own.
      node: deletedAt.length > 0 ? `node-cp-${member}` : undefined,
      deletedAt,
    });
  }
}

function drawMember(
  draft: Draft,
  site: Site,
  random: Random,
  known: Pick<MachineBlueprint, 'name' | 'node' | 'deletedAt'>,
): void {
  const { node } = known;
  const isNew = site.api === 'v1alpha1' && node === undefined && random.chance(0.2);
  const machine = aMachine(site, { ...known, isControlPlane: true, ...(isNew && { server: newServer }) });
  draft.machines.push(stirred(random.fork('stirred'), machine));
  if (node !== undefined)
    draft.nodes.push(aNode({ host: site.host, name: node, providerID: machine.providerID }));
}

/** All members of the original API's control plane may go at about the same time. The last one keeps its Node. */
function drawTogether(random: Random, { api }: Site): (() => number[]) | undefined {
  if (api !== 'v1alpha1' || !random.chance(0.12)) return undefined;
  const at = random.between(200, 3_000);
  const apart = random.oneOf([0, 30, 800, 3_000]);
  return () => [at + random.between(0, apart)];
}

/** Three, whose quorum an operator guards; sometimes two of them are deleted together. */
function drawMasters(draft: Draft, site: Site, random: Random, { latest }: Setting): void {
  if (!random.chance(0.45) || draft.machines.length > maxMachines - 3) return;
  const going = random.oneOf([0, 1, 2, 2, 2]);
  const at = random.between(200, 3_000);
  // In the same moment each of them finds that no other one is cordoned.
  const apart = random.oneOf([0, 30, 800]);
  for (let member = 1; member <= 3; member += 1) {
    const isGoing = member <= going;
    const quorum = {
      point: 'pre-drain' as const,
      name: 'EtcdQuorumOperator',
      owner: 'clusteroperator/etcd',
      leavesAt: random.between(at, latest),
    };
    const machine = aMachine(site, {
      name: `${nameIn(site)}-master-${member}`,
      node: `node-master-${member}`,
      isControlPlane: true,
      deletedAt: isGoing ? [at + random.between(0, apart)] : [],
      hooks: random.chance(0.5) ? [quorum] : [],
    });
    draft.machines.push(machine);
    const role = random.fork(`role of member ${member}`).oneOf(['master', 'control-plane']);
    const labels = { [`node-role.kubernetes.io/${role}`]: '' };
    draft.nodes.push(
      aNode({ host: site.host, name: `node-master-${member}`, providerID: machine.providerID, labels }),
    );
  }
}
