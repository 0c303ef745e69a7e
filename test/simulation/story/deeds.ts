import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { hooksKey } from '../invariants/sight/machine.ts';
import { management } from '../platform/clusters.ts';
import { ourHook, ourSecondHook, putsOurHookOn } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { SeenAnswer } from '../wire/line.ts';

/** In words what an instance changed, or tried to; undefined for what only reads. */
export function deedOf(exchange: Exchange, { code, body }: SeenAnswer): string | undefined {
  const words = wordsOf(exchange);
  return words === undefined || code < 300 ? words : `${words}: ${code} ${refusalOf(body)}`;
}

/** What servers say at length of every such thing is not worth reading again. */
function refusalOf(body: unknown): string {
  const reason = textAt(body, 'reason') ?? '';
  const message = textAt(body, 'message') ?? reason;
  if (/\bUID in (the )?precondition/.test(message)) return `${reason}, another one has its name by now`;
  return ['Conflict', 'AlreadyExists', 'NotFound'].includes(reason) ? reason : message;
}

/** `evicts Pod shop/a in blue`; where the Machines are is not said. Undefined for what only reads. */
export function wordsOf(exchange: Exchange): string | undefined {
  const { host, verb, resource } = exchange;
  if (verb === 'get' || verb === 'list' || verb === 'watch' || resource.startsWith('/')) return undefined;
  return `${deedWords(exchange)}${host === management ? '' : ` in ${host}`}`;
}

function deedWords(exchange: Exchange): string {
  const { verb, resource, body } = exchange;
  const what = keyOf(exchange);
  const kind = kinds[resource] ?? resource;
  if (resource === 'pods/eviction') return `evicts Pod ${what}${graceOf(body)}`;
  if (verb === 'create' && resource === 'events')
    return `writes the Event ${textAt(body, 'reason')} about ${aboutWhom(body)}: ${textAt(body, 'message')}`;
  const patched = verb === 'patch' ? patches[resource] : undefined;
  if (patched !== undefined) return `${patched} ${what}`;
  if (verb === 'delete' && resource.endsWith('.infrastructure.cluster.x-k8s.io'))
    return `deletes the infrastructure ${what} (${resource})`;
  if (verb === 'delete' && resource.endsWith('.bootstrap.cluster.x-k8s.io'))
    return `deletes the bootstrap config ${what} (${resource})`;
  if (verb === 'patch' && resource.startsWith('machines.')) return `${patchOf(exchange)} Machine ${what}`;
  return `${verb}${verb.endsWith('ch') ? 'es' : 's'} ${kind} ${what}`;
}

function aboutWhom(event: unknown): string {
  const [kind, namespace, name] = ['kind', 'namespace', 'name'].map((field) =>
    textAt(event, 'involvedObject', field),
  );
  return `${kind} ${namespace}/${name}`;
}

/** What a patch of these is for. */
const patches: Readonly<Record<string, string>> = {
  nodes: 'cordons Node',
  'deployments.apps': 'restarts Deployment',
  'deletionhooks.phaseout.dev/status': 'writes the status of DeletionHook',
  'drainpolicies.phaseout.dev/status': 'writes the status of DrainPolicy',
};

const kinds: Readonly<Record<string, string>> = {
  pods: 'Pod',
  nodes: 'Node',
  'leases.coordination.k8s.io': 'Lease',
  'pingsources.sources.knative.dev': 'PingSource',
};

function keyOf({ namespace, name, body }: Exchange): string {
  const named = name || (textAt(body, 'metadata', 'name') ?? '');
  return namespace === '' ? named : `${namespace}/${named}`;
}

function graceOf(body: unknown): string {
  const grace = recordAt(body, 'deleteOptions')['gracePeriodSeconds'];
  return typeof grace === 'number' ? `, with ${grace} s to stop` : '';
}

/** As a JSON patch names it. */
const hookPaths = [
  ...[ourHook, ourSecondHook].map((hook) => `"/metadata/annotations/${hook.replace('/', '~1')}"`),
  '"/spec/lifecycleHooks/preDrain/',
  '"/spec/lifecycleHooks/preTerminate/',
];

/** What it comes to is told by the Machine itself. */
function patchOf({ instance, resource, body }: Exchange): string {
  const { finalizers, annotations } = recordAt(body, 'metadata');
  if (resource.endsWith('/status'))
    return Array.isArray(body) ? 'says that the drain is done of' : 'writes the status of';
  if (Array.isArray(body)) return takesHook(body) ? offBy(instance) : 'takes the finalizer off';
  if (finalizers !== undefined) return 'puts the finalizer on';
  if (putsOurHookOn(body)) return 'puts our hook on';
  if (annotations === undefined) return 'writes into';
  return textAt(annotations, hooksKey) === undefined
    ? 'writes the checkpoint of'
    : 'writes whom to ask about';
}

const takesHook = (operations: readonly unknown[]): boolean =>
  hookPaths.some((path) => JSON.stringify(operations).includes(path));

/** The hook watchdog only takes the hook off. */
const offBy = (process: string): string =>
  process.startsWith('dead-man') ? 'takes our hook off' : 'hands over';
