import type { Random } from '../../random.ts';
import type { Blueprint } from '../blueprint.ts';
import { drawCircle, drawGuarded, drawUncountable } from './budgets.ts';
import { drawCopies } from './copies.ts';
import { aNode, aPod, type Draft, emptyDraft, type Place, type Setting } from './draft.ts';
import { drawMachines } from './machines.ts';
import { drawDaemonSet, drawPods, drawTwins, returningSet } from './pods.ts';
import { drawRules } from './rules.ts';
import { drawSites, type Size } from './sites.ts';

/** Up to so many that come alone, on Nodes that are to go and on others. */
const maxPods = { going: 3, staying: 1 };

/** All that exists at the beginning. */
export function drawBlueprint(random: Random, size: Size, setting: Setting): Blueprint {
  const draft = emptyDraft();
  for (const [index, site] of drawSites(random.fork('sites'), size, setting.first).entries()) {
    drawMachines(draft, site, random.fork(`machines ${index}`), setting);
    drawRules(draft, site, random.fork(`rules ${index}`));
  }
  drawCopies(draft, random.fork('copies'), setting);
  for (const host of new Set(draft.nodes.map((node) => node.host)))
    drawHost(draft, host, random.fork(`host ${host}`));
  if (random.fork('bystander').chance(0.12)) addBystander(draft);
  return draft;
}

/** What runs on a cluster's Nodes. Its Nodes and Pods are called as those of any other cluster. */
function drawHost(draft: Draft, host: string, random: Random): void {
  const going = goingPlaces(draft, host);
  if (random.chance(0.7)) draft.nodes.push(aNode({ host, name: 'node-spare' }));
  if (random.chance(0.25)) drawDaemonSet(draft, host, random.fork('whose agent'));
  for (const { name: node } of draft.nodes.filter((each) => each.host === host)) {
    const isGoing = going.some((place) => place.node === node);
    const count = random.between(0, isGoing ? maxPods.going : maxPods.staying);
    drawPods(draft, { host, node }, random.fork(node), count);
  }
  const [first, second] = going;
  if (first === undefined) return;
  if (random.chance(0.3))
    drawGuarded(draft, [first, ...elsewhere(draft, first)], { name: 'cart', random: random.fork('cart') });
  if (random.chance(0.03)) draft.sets.push(returningSet(first));
  if (random.fork('twins').chance(0.08)) drawTwins(draft, first);
  if (random.fork('uncountable').chance(0.05)) drawUncountable(draft, first);
  if (second !== undefined && random.chance(0.15)) drawCircle(draft, [first, second]);
}

function goingPlaces({ machines, nodes }: Draft, host: string): Place[] {
  const going = machines.filter((machine) => machine.host === host && machine.deletedAt.length > 0);
  const named = new Set(going.map(({ node }) => node));
  return nodes
    .filter((node) => node.host === host && named.has(node.name))
    .map(({ name }) => ({ host, node: name }));
}

const elsewhere = ({ nodes }: Draft, { host, node }: Place): Place[] =>
  nodes.filter((each) => each.host === host && each.name !== node).map(({ name }) => ({ host, node: name }));

/** A cluster without Machines, with the names of another one. A request that changes it went the wrong way. */
function addBystander(draft: Draft): void {
  const host = ['red', 'green', 'blue'].find((name) =>
    draft.clusters.every((cluster) => cluster.host !== name),
  );
  const [node] = draft.nodes;
  if (host === undefined || node === undefined) return;
  draft.nodes.push({ ...node, host });
  const place = { host, node: node.name };
  draft.pods.push(aPod(place, { kind: 'of a bystander', name: `${node.name}-app-1` }));
}
