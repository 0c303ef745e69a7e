import { recordAt } from '../../dialects/fields.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { type Bearer, hooksOn, type ListedHook } from './listed-hooks.ts';

/** What makes Machines, and the part of it that they are made from. */
export interface Template {
  object: KubeObject;
  kind: string;
  group: string;
}

/** A kind of template: where in it the Machine's part is, and the group of the Machines that it makes. */
interface TemplateKind {
  group: string;
  makes: string;
  kind: string;
  /** The newest first. */
  versions: readonly string[];
  path: readonly string[];
}

/** Those that there are in clusters, and that say what the Machines get that they make. */
export const templateKinds: readonly TemplateKind[] = [
  ...['MachineDeployment', 'MachineSet'].map((kind) => ({
    group: 'cluster.x-k8s.io',
    makes: 'cluster.x-k8s.io',
    kind,
    versions: ['v1beta2', 'v1beta1'],
    path: ['spec', 'template'],
  })),
  {
    group: 'controlplane.cluster.x-k8s.io',
    makes: 'cluster.x-k8s.io',
    kind: 'KubeadmControlPlane',
    versions: ['v1beta2', 'v1beta1'],
    path: ['spec', 'machineTemplate'],
  },
  {
    group: 'machine.openshift.io',
    makes: 'machine.openshift.io',
    kind: 'MachineSet',
    versions: ['v1beta1'],
    path: ['spec', 'template'],
  },
  {
    group: 'machine.openshift.io',
    makes: 'machine.openshift.io',
    kind: 'ControlPlaneMachineSet',
    versions: ['v1'],
    path: ['spec', 'template', 'machines_v1beta1_machine_openshift_io'],
  },
];

const kindOf = ({ kind, group }: Template): TemplateKind | undefined =>
  templateKinds.find((each) => each.kind === kind && each.group === group);

/** The group of the Machines that it makes. */
export const machineGroupOf = (template: Template): string => kindOf(template)?.makes ?? template.group;

/** Its Machine's part. */
export function templateBearer(template: Template): Bearer {
  const made = recordAt(template.object, ...(kindOf(template)?.path ?? []));
  const annotations = Object.entries(recordAt(made, 'metadata', 'annotations'));
  return {
    annotations: Object.fromEntries(annotations.map(([key, value]) => [key, String(value)])),
    lifecycleHooks: recordAt(made, 'spec')['lifecycleHooks'],
  };
}

export const labelOfTemplate = ({ object: { metadata }, kind }: Template): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** The template that puts a hook on a Machine. Of several that make one another it is the first: the others follow it. */
export function carrierOf(
  machine: KubeObject,
  { point, hook }: ListedHook,
  templates: readonly Template[],
): Template | undefined {
  const carries = (template: Template): boolean =>
    hooksOn(templateBearer(template), machineGroupOf(template)).some(
      (each) => each.point === point && each.hook === hook,
    );
  return makersOf(machine, templates).findLast(carries);
}

/** What has made an object, what has made that, and so on. */
function makersOf(object: KubeObject, templates: readonly Template[]): Template[] {
  const makers: Template[] = [];
  let maker = makerOf(object, templates);
  while (maker !== undefined && !makers.includes(maker)) {
    makers.push(maker);
    maker = makerOf(maker.object, templates);
  }
  return makers;
}

/** A dump may lack UIDs: kind and name tell as much within a namespace. */
export function makerOf({ metadata }: KubeObject, templates: readonly Template[]): Template | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return undefined;
  return templates.find(
    ({ object, kind, group }) =>
      kind === owner.kind &&
      object.metadata.name === owner.name &&
      object.metadata.namespace === metadata.namespace &&
      owner.apiVersion.startsWith(`${group}/`),
  );
}
