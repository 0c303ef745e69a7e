import { describe, expect, it } from 'vitest';
import { type DeployOptions, deploy } from '../../../../infra/cli/deploy/deploy.ts';
import { CannotDo } from '../../../../infra/terminal/usage-error.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { configMap, options, someObjects, trigger } from './installation.ts';
import { aCluster, siteAt } from './knative-cluster.ts';
import { aMachine, type MachineOptions, withoutMachines } from './machine.ts';

const configured = (data: object) =>
  someObjects.map((one) => (one.kind === 'ConfigMap' ? configMap(data) : one));

const all = { PHASEOUT_MACHINE_APIS: 'capi,openshift' };
const openshift = { PHASEOUT_MACHINE_APIS: 'openshift' };
const placed = { ...all, PHASEOUT_NAMESPACES: 'fleet,phaseout' };
const home = { ...all, PHASEOUT_NAMESPACES: 'phaseout' };
const mine = { ...all, PHASEOUT_WATCH_FILTER: 'mine' };
const theirs = { ...all, PHASEOUT_WATCH_FILTER: 'theirs' };

const labels = { 'cluster.x-k8s.io/watch-filter': 'mine' };
const begun = { finalizers: ['other.dev/x'], annotations: { 'phaseout.dev/checkpoint': '{}' } };

/** A cluster that has one Machine and phaseout with one configuration, and a deploy with another. */
async function upgrade(before: object, after: object, machine: MachineOptions = {}) {
  const cluster = await aCluster();
  await deploy(siteAt(cluster).site, options([...configured(before), trigger('old')]));
  aMachine(cluster, 'worker-1', machine);
  const seen = siteAt(cluster);
  const run = (more: Partial<DeployOptions> = {}, site = seen.site) =>
    deploy(site, options(configured(after), more));
  const warnings = () => seen.told.flatMap((one) => (one.event === 'warning' ? [one.text] : []));
  return { cluster, run, warnings, ...seen };
}

const message =
  '1 Machine is being deleted, and would no longer be looked after (--abandon leaves them so):\n  fleet/worker-1';

describe('a Machine in flight that would no longer be looked after', () => {
  it.each<[string, object, object, MachineOptions]>([
    ['for its API', all, openshift, {}],
    ['for its API, of all', {}, openshift, {}],
    ['for its namespace', placed, home, {}],
    ['for its namespace, of all', all, home, {}],
    ['for its label', mine, theirs, { labels }],
    ['for want of a label', all, mine, {}],
    ['though it has nothing of us but a checkpoint', all, openshift, begun],
  ])('%s: nothing is changed', async (_, before, after, machine) => {
    const { run, changes } = await upgrade(before, after, machine);
    const deploying = run();
    await expect(deploying).rejects.toThrow(CannotDo);
    await expect(deploying).rejects.toThrow(message);
    expect(changes()).toEqual([]);
  });

  it('is named by a dry run as well', async () => {
    const { run } = await upgrade(all, openshift);
    await expect(run({ dryRun: true })).rejects.toThrow(message);
  });

  it('is left and told of where that is asked for', async () => {
    const { run, changes, warnings } = await upgrade(all, openshift);
    expect(await run({ abandon: true })).toBe('done');
    expect(warnings()).toEqual([
      expect.stringMatching(/^being deleted, and left as they are .*: fleet\/worker-1$/),
    ]);
    expect(changes()).toContain('removed Trigger phaseout/old');
  });
});

describe('nothing is held up', () => {
  it.each<[string, object, object, MachineOptions]>([
    ['by a Machine that lives', all, openshift, { isDeleted: false }],
    ['by one that others hold', all, openshift, { finalizers: ['other.dev/x'] }],
    ['by one that was left to others before', openshift, { PHASEOUT_MACHINE_APIS: 'v1alpha1' }, {}],
    ['by one that goes on being looked after', placed, { ...all, PHASEOUT_NAMESPACES: 'fleet' }, {}],
    ['by one that keeps its watch filter', all, mine, { labels }],
  ])('%s', async (_, before, after, machine) => {
    const { run, warnings } = await upgrade(before, after, machine);
    const unsaid = { namespaces: false, machineApis: false, watchFilter: false, dynamodbLocal: false };
    expect(await run({ unsaid })).toBe('done');
    expect(warnings()).toEqual([]);
  });

  it('by a Machine of another controller where phaseout was not installed', async () => {
    const cluster = await aCluster();
    aMachine(cluster, 'worker-1');
    expect(await deploy(siteAt(cluster).site, options(configured(openshift)))).toBe('done');
  });
});

describe('Machines that could not be listed', () => {
  it('are not none', async () => {
    const { run, site, changes } = await upgrade(all, openshift);
    const deploying = run({}, { ...site, kubernetes: withoutMachines(site.kubernetes) });
    await expect(deploying).rejects.toThrow(Unavailable);
    expect(changes()).toEqual([]);
  });

  it('are not asked for where none would be given up', async () => {
    const { run, site } = await upgrade(placed, placed);
    expect(await run({}, { ...site, kubernetes: withoutMachines(site.kubernetes) })).toBe('done');
  });
});
