import type { ActuatorReport } from '../../../shared/actuator/port.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { compact } from '../../local/kubernetes/server/json.ts';
import type { Question } from './client.ts';
import type { Template } from './templates.ts';

/** The Machines of one run: new ones from the template, and those that may have a server by now. */
export type Machines = ReturnType<typeof createMachines>;

const longestName = 63;

export function createMachines(template: Template, uuid: () => string) {
  const kept = new Map<string | undefined, KubeObject>();
  return {
    template,
    /** A Machine that no provider has seen; with `name` a namesake of another. */
    make: (name?: string): KubeObject => fromTemplate(template, uuid(), name),
    question: (machine: KubeObject): Question => ({ machine, cluster: template.cluster }),
    /** Its server will have to be removed. */
    remember: (machine: KubeObject): void => void kept.set(machine.metadata.uid, machine),
    forget: ({ metadata }: KubeObject): void => void kept.delete(metadata.uid),
    remembered: (): readonly KubeObject[] => [...kept.values()],
  };
}

/** Of the template's metadata only what a new Machine would have. */
function fromTemplate({ machine }: Template, uid: string, name: string | undefined): KubeObject {
  const { apiVersion, kind, metadata, spec } = machine;
  const { namespace = 'default', labels, annotations } = metadata;
  const unique = uid.slice(0, 8);
  return {
    ...compact({ apiVersion, kind }),
    metadata: {
      name: name ?? `${metadata.name.slice(0, longestName - unique.length - 1)}-${unique}`,
      namespace,
      uid,
      ...compact({ labels, annotations }),
    },
    spec: withoutIdentity(spec),
  };
}

/** A providerID in a template names the server of another Machine. */
export function withoutIdentity(spec: unknown): object {
  if (typeof spec !== 'object' || spec === null) return {};
  return Object.fromEntries(Object.entries(spec).filter(([field]) => field !== 'providerID'));
}

/** The Machine as it is once the provider's report was written on it. */
export function withReport(machine: KubeObject, report: ActuatorReport): KubeObject {
  const { providerID, addresses, providerStatus } = report;
  const { spec, status } = machine;
  return {
    ...machine,
    spec: { ...objectOf(spec), ...compact({ providerID }) },
    status: { ...objectOf(status), ...compact({ addresses, providerStatus }) },
  };
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** The Machine as it is while it is being deleted. */
export function deleting(machine: KubeObject, now: number): KubeObject {
  const deletionTimestamp = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return { ...machine, metadata: { ...machine.metadata, deletionTimestamp } };
}
