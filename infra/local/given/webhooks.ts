import { groupOfReference, guessPlural } from '../kubernetes/discovery/resource.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { at, listOf, objectOf, textAt, textsOf } from '../kubernetes/server/json.ts';
import type { GivenMachine } from './given-machine.ts';
import { oncePer } from './given-objects.ts';

/** A request of a deletion that an API server may ask a webhook about. */
interface Asked {
  group: string;
  resource: string;
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  scope: 'Namespaced' | 'Cluster';
  /** For people. */
  what: string;
}

const evictions: Asked = {
  group: '',
  resource: 'pods/eviction',
  operation: 'CREATE',
  scope: 'Namespaced',
  what: 'evictions',
};

const onNodes = { group: '', resource: 'nodes', scope: 'Cluster' } as const;
const ofNode: readonly Asked[] = [
  evictions,
  { ...onNodes, operation: 'UPDATE', what: 'changes of Nodes' },
  { ...onNodes, operation: 'DELETE', what: 'deletions of Nodes' },
];

/** Names the webhooks that an API server would ask about the deletion. Here none is asked. */
export function webhookNotes(view: GivenMachine): string[] {
  const { management, objects, node } = view;
  const aside = node === undefined ? [] : notesOn(objects, ofNode);
  return [...new Set([...aside, ...notesOn(management, ofMachine(view))])];
}

function notesOn(objects: readonly KubeObject[], requests: readonly Asked[]): string[] {
  return configurationsIn(objects).flatMap((configuration) => {
    return listOf(configuration['webhooks']).flatMap((hook) => {
      const about = requests.filter((request) =>
        listOf(at(hook, 'rules')).some((rule) => meets(rule, request)),
      );
      return about.length === 0 ? [] : [say(configuration, textAt(hook, 'name'), about)];
    });
  });
}

const isConfiguration = ({ kind, apiVersion = '' }: KubeObject): boolean =>
  apiVersion.startsWith('admissionregistration.k8s.io/') &&
  (kind === 'ValidatingWebhookConfiguration' || kind === 'MutatingWebhookConfiguration');

const configurationsIn = oncePer((objects: readonly KubeObject[]) => objects.filter(isConfiguration));

const say = ({ kind, metadata }: KubeObject, name: string, about: readonly Asked[]): string =>
  `this webhook is not played, and the answer may differ: ${name} of ${kind} ${metadata.name}, which is asked about ` +
  about.map(({ what }) => what).join(', ');

function meets(rule: unknown, { group, resource, operation, scope }: Asked): boolean {
  const { apiGroups, operations, resources } = objectOf(rule);
  const ofScope = textAt(rule, 'scope') || '*';
  return (
    isAmong(apiGroups, group) &&
    isAmong(operations, operation) &&
    (ofScope === '*' || ofScope === scope) &&
    textsOf(resources).some((pattern) => isResource(pattern, resource))
  );
}

const isAmong = (list: unknown, one: string): boolean => {
  const texts = textsOf(list);
  return texts.includes('*') || texts.includes(one);
};

/** `*` is every resource and no subresource, and each half of a pattern may be a star. */
function isResource(pattern: string, resource: string): boolean {
  const [name, subresource = ''] = pattern.split('/');
  const [wanted, part = ''] = resource.split('/');
  if (name !== '*' && name !== wanted) return false;
  return subresource === part || (pattern.includes('/') && subresource === '*');
}

function ofMachine({ machine, group }: GivenMachine): Asked[] {
  const machines = { group, resource: 'machines', scope: 'Namespaced' } as const;
  const spec = objectOf(machine.spec);
  const referred = [spec['infrastructureRef'], objectOf(spec['bootstrap'])['configRef']].flatMap(deletionOf);
  return [
    { ...machines, operation: 'UPDATE', what: 'changes of Machines' },
    { ...machines, operation: 'DELETE', what: 'deletions of Machines' },
    ...referred,
  ];
}

function deletionOf(reference: unknown): Asked[] {
  const kind = textAt(reference, 'kind');
  if (kind === '') return [];
  const what = `deletions of ${kind}s`;
  const resource = guessPlural(kind);
  return [{ group: groupOfReference(reference), resource, operation: 'DELETE', scope: 'Namespaced', what }];
}
