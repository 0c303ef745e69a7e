import * as z from 'zod';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Answer } from '../../../shared/adapters/kubernetes/request.ts';
import { conditionsFrom, find } from '../../../shared/dialects/conditions.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Carried } from './carriage.ts';
import type { ProviderAnswer, ProviderCall } from './provider.ts';
import { newsOf } from './told-machine.ts';

const watchedFact = z.looseObject({
  machine: z.looseObject({ name: z.string() }),
  from: z.string().optional(),
  to: z.string().optional(),
  as: z.string().optional(),
  message: z.string().optional(),
  cause: z.string().optional(),
  pod: z.looseObject({ namespace: z.string(), name: z.string() }).optional(),
  hooks: z.array(z.string()).optional(),
  owners: z.record(z.string(), z.string()).optional(),
});

interface Line {
  at: string;
  text: string;
  list?: string[];
}

/** What a story tells: one line for each thing that happened, in order, with the seconds since it began. */
export class Told {
  readonly #now: () => number;
  #began: number | undefined;
  readonly #lines: Line[] = [];
  readonly #known = new Map<string, string>();

  /** How a Machine is called: one of this name may be in two APIs. */
  calls: (name: string, group: string) => string = (name) => name;

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(): void {
    this.#began = this.#now();
  }

  say(text: string): void {
    this.#add(text);
  }

  text(): string {
    const lines = this.#lines.map(({ at, text, list }) => ({
      at,
      text: [text, list?.join(', ')].join(' ').trim(),
    }));
    return withoutRepeats(lines)
      .map(({ at, text }) => `${at}  ${text}\n`)
      .join('');
  }

  /** An effect of ours, or an Event, as the API server answered it. */
  request(request: Carried, answer: Answer): void {
    const { verb, resource, path, body } = request;
    const last =
      path
        .replace(/\/status$/, '')
        .split('/')
        .at(-1) ?? '';
    const name = resource.startsWith('machines.') ? this.calls(last, resource) : last;
    if (resource === 'pods/eviction') return this.#evicted(path, body, answer);
    if (verb === 'create' && resource === 'events') return this.#event(body, answer);
    if (resource.startsWith('leases.')) return this.#lease(verb, answer);
    if (verb === 'delete') return this.#add(`delete ${name} (${resource})${outcomeOf(answer)}`);
    if (verb === 'patch' && resource === 'nodes') return this.#add(`cordon ${name}${outcomeOf(answer)}`);
    if (verb === 'patch' && resource === 'nodes/status') return this.#shown(path, body, answer);
    if (verb === 'patch' && resource.startsWith('machines.')) this.#machinePatch(name, body, answer);
  }

  #shown(path: string, body: unknown, answer: Answer): void {
    const conditions = conditionsFrom(recordAt(body, 'status')['conditions']);
    const drain = ['DrainInProgress', 'Drained'].map((type) => find(conditions, type));
    const said = drain.map((each) => `${each?.type} ${each?.status}`).join(', ');
    const { reason, message } = drain[0] ?? {};
    this.#add(`${path.split('/').at(-2)} shows ${said}: ${reason}: ${message}${outcomeOf(answer)}`);
  }

  #machinePatch(name: string, body: unknown, answer: Answer): void {
    if (Array.isArray(body)) return this.#add(`${takenOff(body, name)}${outcomeOf(answer)}`);
    const hooks = Object.entries(recordAt(body, 'metadata', 'annotations')).filter(([key]) =>
      key.includes('.hook.'),
    );
    const put = hooks.flatMap(([key, value]) => (value === null ? [] : [key]));
    const off = hooks.flatMap(([key, value]) => (value === null ? [key] : []));
    if (off.length > 0) this.#add(`take ${off.join(', ')} off ${name}${outcomeOf(answer)}`);
    if (put.length > 0) this.#add(`put ${put.join(', ')} on ${name}${outcomeOf(answer)}`);
    if (recordAt(body, 'spec')['lifecycleHooks'] !== undefined)
      this.#add(`put our hook on ${name}${outcomeOf(answer)}`);
  }

  machine(type: string, machine: KubeObject): void {
    const name = this.calls(machine.metadata.name, machine.apiVersion ?? '');
    if (type === 'DELETED') return this.#add(`${name} is gone`);
    for (const [about, text] of newsOf(machine))
      this.#news(`${name} ${about}`, text, (said) => `${name}: ${said || 'no error any more'}`);
  }

  /** What the provider is asked; of a living Machine that is well only once that its server is there. */
  provider({ operation, machine }: ProviderCall, answer: ProviderAnswer | undefined): void {
    const { name, deletionTimestamp } = machine.metadata;
    const asked = `the provider is asked: ${operation} ${name}`;
    const text = answerText(answer);
    const last = this.#lines.at(-1);
    if (operation === 'exists' && last?.at === this.#at() && last.text.includes(`delete ${name} =>`)) {
      last.text += `, exists => ${text}`;
      return;
    }
    if (deletionTimestamp !== undefined || operation === 'create') return this.#add(`${asked} => ${text}`);
    const usual = operation === 'exists' ? 'yes' : 'done';
    const key = `${name} ${operation}`;
    if (!this.#known.has(key)) this.#known.set(key, usual);
    this.#news(key, text, (said) => `${asked} => ${said}`);
  }

  #news(key: string, text: string | undefined, line: (text: string) => string): void {
    // What was never there does not go either.
    if (text === undefined || (this.#known.get(key) ?? '') === text) return;
    this.#known.set(key, text);
    this.#add(line(text));
  }

  #evicted(path: string, body: unknown, answer: Answer): void {
    const [, , , , namespace, , name] = path.split('/');
    const grace = recordAt(body, 'deleteOptions')['gracePeriodSeconds'];
    const withGrace = typeof grace === 'number' ? ` with ${grace} s` : '';
    // The fact and the condition report why it was refused.
    const refusal = answer.code < 300 ? '' : ` => ${answer.code}`;
    this.#addToList(`evict${withGrace}${refusal}:`, `${namespace}/${name}`);
  }

  /** Of the facts only what nothing else shows. */
  fact(type: string, body: string): void {
    if (type !== 'dev.phaseout.pod.refused.v1') return;
    const { pod, cause } = refusal.parse(JSON.parse(body));
    this.#addToList(`told: refused, ${cause}:`, `${pod.namespace}/${pod.name}`);
  }

  /** Of a deletion that is only watched nothing shows more than the facts. */
  watched(type: string, body: string): void {
    const { machine, from, to, as, message = '', ...data } = watchedFact.parse(JSON.parse(body));
    const what = type.replace('dev.phaseout.', '').replace('.v1', '');
    const { pod, hooks, owners = {} } = data;
    if (pod !== undefined)
      return this.#addToList(`told: ${what}, ${data.cause}:`, `${pod.namespace}/${pod.name}`);
    const waits = hooks?.map((hook) => `${hook} of ${owners[hook] ?? 'unknown'}`) ?? [];
    const way = from === undefined ? [] : [`from ${from} to ${to} as ${as}`];
    const words = [...way, ...waits, message.replaceAll('\n', '\n')].filter((word) => word !== '');
    this.#add([`told: ${what} of ${machine.name}`, ...words].join(': '));
  }

  /** The right to cordon a control plane Node, which one instance has at a time. */
  #lease(verb: string, { code }: Answer): void {
    if (verb === 'create') this.#add(code === 409 ? 'somebody else has the Lease' : 'take the Lease');
    if (verb === 'delete') this.#add('give the Lease back');
  }

  #event(body: unknown, answer: Answer): void {
    if (answer.code === 409) return;
    const [type, reason, message] = ['type', 'reason', 'message'].map((field) => textAt(body, field));
    this.#add(`Event ${type} ${reason}: ${message}${outcomeOf(answer)}`);
  }

  #add(text: string): void {
    if (this.#began === undefined) return;
    this.#lines.push({ at: this.#at(), text: indented(text) });
  }

  /** Those that belong together stand on one line. */
  #addToList(text: string, item: string): void {
    const last = this.#lines.at(-1);
    if (last?.text === text && last.at === this.#at()) return void last.list?.push(item);
    this.#add(text);
    const added = this.#lines.at(-1);
    if (added !== undefined) added.list = [item];
  }

  #at(): string {
    return ((this.#now() - (this.#began ?? 0)) / 1_000).toFixed(3).padStart(9);
  }
}

/** What is said again and again is told the first time and the last time. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  return lines.flatMap((line, index) => {
    if (line.text !== lines[index - 1]?.text) return [line];
    if (line.text === lines[index + 1]?.text) return [];
    let first = index;
    while (lines[first - 1]?.text === line.text) first -= 1;
    return index - first < 3
      ? lines.slice(first + 1, index + 1)
      : [{ at: line.at, text: `the same, ${index - first} times by now` }];
  });
}

const refusal = z.object({ pod: z.object({ namespace: z.string(), name: z.string() }), cause: z.string() });

const indented = (text: string): string => text.replaceAll('\n', `\n${' '.repeat(13)}`);

function answerText(answer: ProviderAnswer | undefined): string {
  if (answer === undefined) return 'nobody answers';
  if (answer.kind === 'exists') return 'yes';
  if (answer.kind === 'absent') return 'no';
  if (answer.kind === 'retry') return `again after ${answer.afterSeconds} s: ${answer.message}`;
  if (answer.kind === 'failed') return `${answer.reason ?? 'failed'}: ${answer.message}`;
  return answer.kind;
}

function outcomeOf({ code, text }: Answer): string {
  if (code < 300) return '';
  const body: unknown = JSON.parse(text);
  return ` => ${code} ${textAt(body, 'message') ?? ''}`;
}

/** The finalizer, or our hook with the exclusions that come in its place. */
function takenOff(patch: readonly unknown[], name: string): string {
  const paths = patch.map((each) => textAt(each, 'path') ?? '');
  const put = paths.filter((path) => path.includes('~1exclude-')).map((path) => path.split('~1').at(-1));
  if (paths.includes('/status/conditions')) return `say on ${name} that its drain is done`;
  const isHook = paths.some((path) => path.includes('.hook.') || path.includes('/lifecycleHooks/'));
  const what = isHook ? 'hook' : 'finalizer';
  return `take the ${what} off ${name}${put.length === 0 ? '' : `, and put ${put.join(', ')} on`}`;
}
