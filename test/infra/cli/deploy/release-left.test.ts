import { describe, expect, it } from 'vitest';
import { deploy } from '../../../../infra/cli/deploy/deploy.ts';
import { configMap, options, someObjects } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';
import { aMachine, type MachineOptions } from './machine.ts';

const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';
const blueHook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout-blue';
const beside = { PHASEOUT_MODE: 'capi:beside' };
const filter = { 'cluster.x-k8s.io/watch-filter': 'mine' };
const member = { 'cluster.x-k8s.io/control-plane': '' };
const pooled = { 'cluster.x-k8s.io/pool-name': 'a' };

type Variables = Record<string, string>;

const configured = (data: Variables) =>
  someObjects.map((one) => (one.kind === 'ConfigMap' ? configMap({ ...beside, ...data }) : one));

/** Whether a Machine keeps the hook where phaseout has these variables, and then those. */
async function keeps(before: Variables, after: Variables, machine: MachineOptions, name = hook) {
  const cluster = await aCluster({ peer: true });
  const said = Object.keys({ ...before, ...after });
  const run = (data: Variables) =>
    deploy(siteAt(cluster).site, options(configured(data), { said, forceMode: true }));
  await run(before);
  aMachine(cluster, 'worker-1', { isDeleted: false, annotations: { [name]: 'phaseout.dev' }, ...machine });
  await run(after);
  const { annotations = {} } = cluster.cluster.get(
    'machines.cluster.x-k8s.io',
    'fleet',
    'worker-1',
  )!.metadata;
  return annotations[name] === 'phaseout.dev';
}

const mine = { PHASEOUT_WATCH_FILTER: 'mine' };
const blueTeam = { PHASEOUT_BESIDE_SELECTOR: 'team=blue' };
const planes = { PHASEOUT_BESIDE_CONTROL_PLANES: 'true' };
const pools = { PHASEOUT_BESIDE_MACHINE_POOLS: 'true' };
const elsewhere = { PHASEOUT_NAMESPACES: 'other' };
const replace = { PHASEOUT_MODE: 'replace' };
const blue = { PHASEOUT_INSTALLATION: 'blue' };
const going = { isDeleted: true };

describe('the hook goes off a Machine', () => {
  it.each<[what: string, before: Variables, after: Variables, machine: MachineOptions, name?: string]>([
    ['of another namespace', {}, elsewhere, {}],
    ['of another namespace, though it is being deleted', {}, elsewhere, going],
    ['without the watch filter', {}, mine, {}],
    ['without the labels that are selected', {}, blueTeam, {}],
    ['of the control plane, once these are not wanted', planes, {}, { labels: member }],
    ['of a pool, once these are not wanted', pools, {}, { labels: pooled }],
    ['once phaseout works in the place of its controller', {}, replace, going],
    ['once the installation that had a name has none and works in that place', blue, replace, {}, blueHook],
    ['once the installation has another name', {}, blue, going],
  ])('%s', async (_, before, after, machine, name) => {
    expect(await keeps(before, after, machine, name)).toBe(false);
  });
});

describe('the hook stays on a Machine', () => {
  it.each<[what: string, before: Variables, after: Variables, machine: MachineOptions, name?: string]>([
    ['that is selected as before', blueTeam, blueTeam, { labels: { team: 'blue' } }],
    ['that is selected anew', blueTeam, {}, {}],
    ['that goes on being selected', {}, blueTeam, { labels: { team: 'blue' } }],
    ['with the watch filter', {}, mine, { labels: filter }],
    ['of the control plane, once these are wanted', {}, planes, { labels: member }],
    ['that is not selected any more, while it is being deleted', {}, blueTeam, going],
    ['of another installation', {}, blueTeam, {}, blueHook],
  ])('%s', async (_, before, after, machine, name) => {
    expect(await keeps(before, after, machine, name)).toBe(true);
  });
});

const othersNode = async () => "Node n1 is another server's";

describe('a Machine whose own controller would delete the Node of another one', () => {
  it.each<[string, Variables]>([
    ['another mode', replace],
    ['another selection', elsewhere],
    ['another installation', blue],
  ])('is named before anything is changed, with %s, unless somebody lets it go', async (_, after) => {
    const cluster = await aCluster({ peer: true });
    const { site } = siteAt(cluster);
    const said = Object.keys({ ...after, ...beside });
    const run = (data: Variables, more: { letsGoOfOthersNodes?: boolean } = {}) =>
      deploy({ ...site, othersNode }, { ...options(configured(data), { said, forceMode: true }), ...more });
    const annotations = () =>
      cluster.cluster.get('machines.cluster.x-k8s.io', 'fleet', 'worker-1')?.metadata.annotations ?? {};
    await run({});
    aMachine(cluster, 'worker-1', { isDeleted: true, annotations: { [hook]: 'phaseout.dev' } });
    await expect(run(after)).rejects.toThrow('fleet/worker-1: Node n1 is another server');
    expect(annotations()).toHaveProperty([hook]);
    expect(await run(after, { letsGoOfOthersNodes: true })).toBe('done');
    expect(annotations()).not.toHaveProperty([hook]);
  });

  it('holds up no update that lets nobody go', async () => {
    const cluster = await aCluster({ peer: true });
    const { site } = siteAt(cluster);
    const run = () => deploy({ ...site, othersNode }, options(configured({}), { forceMode: true }));
    await run();
    aMachine(cluster, 'worker-1', { isDeleted: true, annotations: { [hook]: 'phaseout.dev' } });
    expect(await run()).toBe('done');
  });
});
