import type { Random } from '../../random.ts';
import type { MachineBlueprint, Timeouts } from '../blueprint.ts';
import { aReferred, type Setting, type Site } from './draft.ts';
import { drawHooks, hookName } from './hooks.ts';

export const excludeDrain = {
  capi: 'machine.cluster.x-k8s.io/exclude-node-draining',
  openshift: 'machine.openshift.io/exclude-node-draining',
} as const;

type Specials = Partial<MachineBlueprint>;

/** What is special about a Machine that goes. */
export function drawSpecials(site: Site, random: Random, setting: Setting): Specials {
  const { api } = site;
  const common: Specials = {
    hooks: drawHooks(random.fork('hooks'), api, setting),
    hasNodeRef: !random.chance(0.06),
    earlierFinalizers: random.chance(0.06) ? ['fleet.example/billing'] : [],
    finalizers: random.chance(0.04) ? ['fleet.example/audit'] : [],
    ...drawHeldOff(random.fork('held off'), api),
  };
  if (api === 'capi')
    return {
      ...common,
      ...drawReferred(random),
      ...drawNeededAgain(random.fork('needed again'), drawTimeouts(random)),
      ...drawKeptNode(random.fork('kept node')),
      ...drawKeptServer(random.fork('kept server')),
      ...drawOddVolume(random.fork('odd volume'), setting),
      annotations: drawCapiAnnotations(random),
    };
  return { ...common, annotations: drawProviderAnnotations(random, api) };
}

function drawReferred(random: Random): Specials {
  const stopSeconds = random.oneOf([0, 1, 1, 2, 5, 20]);
  const neverStops = random.chance(0.02);
  const others = (share: number, name: string): string[] => (random.chance(share) ? [name] : []);
  const infrastructure = aReferred({
    stopSeconds,
    neverStops,
    finalizers: others(0.03, 'network.example/address'),
  });
  const bootstrap = aReferred({
    stopSeconds: random.oneOf([0, 0, 1]),
    finalizers: others(0.03, 'secrets.example/keys'),
  });
  return {
    infrastructure: random.chance(0.05) ? undefined : infrastructure,
    bootstrap: random.chance(0.06) ? undefined : bootstrap,
  };
}

const shown = ['the Node alone', 'an attachment alone'] as const;
const signs = [...shown, ...shown, 'an attachment that is none yet'] as const;

/** An instance that looks at one sign alone, or at the wrong one, takes the server away under it. */
function drawOddVolume(random: Random, { latest }: Setting): Specials {
  if (!random.chance(0.3)) return {};
  const comesOffAt = random.between(latest, latest + 9_500);
  const podAt = random.chance(0.5) ? comesOffAt - random.between(500, 4_000) : undefined;
  return { oddVolume: { sign: random.oneOf(signs), comesOffAt, podAt } };
}

/** Ten seconds for the Node is what Cluster API's webhook sets, and 0 is for ever. */
function drawTimeouts(random: Random): Timeouts {
  const seconds = (): number => random.oneOf([0, 20, 40, 90, 120]);
  return {
    ...(random.chance(0.85) && { node: random.chance(0.65) ? 10 : 0 }),
    ...(random.chance(0.3) && { drain: seconds() }),
    ...(random.chance(0.3) && { volumes: seconds() }),
  };
}

/** Most for longer than the usual ten seconds. */
const drawKeptNode = (random: Random): Specials =>
  random.chance(0.12) ? { nodeKeptSeconds: random.oneOf([5, 20, 40]) } : {};

/** Some are kept for longer than anybody takes the drain of their Node at its word. */
function drawKeptServer(random: Random): Specials {
  if (!random.chance(0.08)) return {};
  const seconds = random.oneOf([3, 15, 40]);
  const podAfterSeconds = random.chance(0.7) ? random.between(1, seconds) : undefined;
  const isNodeForgotten = random.fork('whether its Node is forgotten').chance(0.4);
  return { serverKept: { seconds, podAfterSeconds, ...(isNodeForgotten && { isNodeForgotten }) } };
}

function drawHeldOff(random: Random, api: Site['api']): Specials {
  if (api === 'v1alpha1' || !random.chance(0.3)) return {};
  const what = random.oneOf([
    'node',
    'pods',
    ...(api === 'capi' ? (['infrastructure'] as const) : []),
  ] as const);
  return { heldOff: { what, times: random.between(2, 8) } };
}

const paused = { annotation: 'cluster.x-k8s.io/paused', isForGood: false };
const hooked = { annotation: hookName('capi', 'pre-drain', 'late'), isForGood: false };
const unawaited = {
  annotation: 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
  isForGood: true,
};

/** What stands still does so for longer than volumes are waited for. */
function drawNeededAgain(random: Random, timeouts: Timeouts): Specials {
  if (!random.chance(0.15)) return { timeouts };
  const volumes = random.oneOf([8, 12, 20]);
  const goesOnSeconds = volumes + random.between(1, 8);
  const kind = random.oneOf([paused, hooked, unawaited]);
  return { timeouts: { ...timeouts, volumes }, neededAgain: { ...kind, goesOnSeconds } };
}

function drawCapiAnnotations(random: Random): Record<string, string> {
  // That it is there counts, whatever it says.
  const value = random.fork('what annotations say').oneOf(['', 'true', 'false']);
  return {
    ...(random.chance(0.09) && { [excludeDrain.capi]: random.oneOf(['', 'false']) }),
    ...(random.chance(0.08) && { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': value }),
    ...(random.chance(0.03) && { 'cluster.x-k8s.io/paused': value }),
    // It looks like a hook and is none.
    ...(random.chance(0.03) && { 'pre-drain.machine.cluster-api.x-k8s.io/backup': 'nobody' }),
  };
}

function drawProviderAnnotations(random: Random, api: Site['api']): Record<string, string> {
  return {
    ...(random.chance(0.3) && { 'local.phaseout.dev/stop-seconds': String(random.oneOf([1, 5, 20])) }),
    ...(random.chance(0.03) && { 'local.phaseout.dev/never-stops': 'true' }),
    ...(api === 'openshift' &&
      random.chance(0.08) && { [excludeDrain.openshift]: random.oneOf(['', 'false']) }),
  };
}
