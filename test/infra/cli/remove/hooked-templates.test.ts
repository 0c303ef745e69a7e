import { expect, it } from 'vitest';
import type { Happening } from '../../../../infra/cli/deploy/report.ts';
import { tellHookedTemplates } from '../../../../infra/cli/remove/hooked-templates.ts';
import type { Kubernetes } from '../../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';

const namespace = 'openshift-machine-api';
const withHook = (name: string, owner = 'phaseout.dev') => ({
  lifecycleHooks: { preDrain: [{ name, owner }] },
});
const set = (name: string, spec: object): KubeObject => ({
  metadata: { name, namespace },
  spec: { template: { spec } },
});

/** What is said of these templates by an installation with or without a name. */
async function told(installation: string, served: Record<string, KubeObject[]>): Promise<string[]> {
  const texts: string[] = [];
  const kubernetes: Pick<Kubernetes, 'discover' | 'list'> = {
    discover: async (group, kind, version = '') => {
      const plural = `${kind.toLowerCase()}s`;
      return plural in served ? { group, version, plural } : undefined;
    },
    list: async ({ plural }) => ({ items: served[plural] ?? [], resourceVersion: '1' }),
  };
  const tell = (happening: Happening): void => {
    if (happening.event === 'warning') texts.push(happening.text);
  };
  await tellHookedTemplates({ kubernetes, tell }, installation);
  return texts;
}

const take = 'take it off, or its new Machines will wait for phaseout when they are deleted';

it('tells of each template that has our hook', async () => {
  const ofMasters: KubeObject = {
    metadata: { name: 'cluster', namespace },
    spec: { template: { machines_v1beta1_machine_openshift_io: { spec: withHook('phaseout') } } },
  };
  const machinesets = [
    set('workers', withHook('phaseout')),
    set('others', withHook('phaseout', 'me')),
    set('blue', withHook('phaseout-blue')),
    set('plain', {}),
  ];
  expect(await told('', { machinesets, controlplanemachinesets: [ofMasters] })).toEqual([
    `the template of MachineSet ${namespace}/workers has the hook phaseout: ${take}`,
    `the template of ControlPlaneMachineSet ${namespace}/cluster has the hook phaseout: ${take}`,
  ]);
  expect(await told('blue', { machinesets })).toEqual([
    `the template of MachineSet ${namespace}/blue has the hook phaseout-blue: ${take}`,
  ]);
});

it('asks nothing where OpenShift is not', async () => {
  expect(await told('', {})).toEqual([]);
});
