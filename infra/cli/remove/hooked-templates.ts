import { hasHook, listedHooks, listOf } from '../../../shared/dialects/beside/hook.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { groupOf } from '../../../shared/dialects/registry.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Site } from '../deploy/site.ts';

/** What OpenShift makes Machines from, by a template that may have our hook, and where its spec is in there. */
const makers = [
  { kind: 'MachineSet', version: 'v1beta1', plural: 'machinesets', path: ['template', 'spec'] },
  {
    kind: 'ControlPlaneMachineSet',
    version: 'v1',
    plural: 'controlplanemachinesets',
    path: ['template', 'machines_v1beta1_machine_openshift_io', 'spec'],
  },
] as const;

interface Asked extends Pick<Site, 'tell'> {
  kubernetes: Pick<Kubernetes, 'discover' | 'list'>;
}

/**
 * Tells which templates make Machines with our hook: they are not ours to change, and those Machines would keep it. Throws
 * Unavailable.
 */
export async function tellHookedTemplates({ kubernetes, tell }: Asked, installation: string): Promise<void> {
  const group = groupOf('openshift');
  const hooks = listOf(listedHooks(installation));
  for (const { kind, version, plural, path } of makers) {
    if ((await kubernetes.discover(group, kind, version)) === undefined) continue;
    const { items } = await kubernetes.list({ group, version, plural });
    for (const { metadata, spec } of items) {
      const made: KubeObject = { metadata, spec: recordAt(spec, ...path) };
      const hook = hooks.find((each) => hasHook(made, each));
      if (hook === undefined) continue;
      const text = `the template of ${kind} ${metadata.namespace}/${metadata.name} has the hook ${hook.name}: take it off, or its new Machines will wait for phaseout when they are deleted`;
      tell({ event: 'warning', text });
    }
  }
}
