import { isHookOfOurs, registeredAnnotation } from '../../shared/dialects/beside/hook.ts';
import type { Resource } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { nodes, pods, volumeAttachments } from '../../shared/kubernetes/resources.ts';
import type { Site } from './site.ts';

/** What is followed in every story; those of no namespace by the story's label. */
const followed: readonly Resource[] = [pods, nodes, volumeAttachments];

export const storyLabel = 'phaseout.dev/test-story';

/** What the API server told of a story's objects, in the order in which it was told. */
export class Chronicle {
  readonly #startedAt: number;
  readonly #site: Site;
  readonly #stops: (() => void)[] = [];
  readonly #entries: { at: number; text: string }[] = [];
  readonly #last = new Map<string, string>();

  constructor(site: Site) {
    this.#site = site;
    this.#startedAt = site.clock.now();
  }

  /** From now on, until it is closed; what is there already is no news. */
  async follow(namespace: string, more: readonly Resource[]): Promise<void> {
    const labelSelector = `${storyLabel}=${namespace}`;
    for (const resource of [...followed, ...more]) {
      const { resourceVersion, items } = await this.#site.kubernetes.list(resource, { labelSelector });
      for (const object of items) this.#last.set(object.metadata.uid ?? '', stateOf(object));
      this.#watch(resource, labelSelector, resourceVersion);
    }
  }

  #watch(resource: Resource, labelSelector: string, since: string): void {
    let latest = since;
    const index = this.#stops.length;
    const stop = this.#site.kubernetes.watch(resource, { labelSelector }, since, {
      changed: (type, object) => {
        latest = object.metadata.resourceVersion ?? latest;
        this.#saw(kindOf(resource), type, object);
      },
      ended: () => this.#watchAgain(index, resource, labelSelector, latest),
    });
    this.#stops.push(stop);
  }

  #watchAgain(index: number, resource: Resource, labelSelector: string, since: string): void {
    this.#stops[index] = this.#site.clock.after(500, () => this.#watch(resource, labelSelector, since));
  }

  #saw(kind: string, type: string, object: KubeObject): void {
    const { uid = '', name } = object.metadata;
    const short = name.split('--').at(-1) ?? name;
    if (type === 'DELETED') return this.#tell(`${kind} ${short} gone`);
    const state = stateOf(object);
    if (state === (this.#last.get(uid) ?? '')) return;
    this.#last.set(uid, state);
    for (const part of state.split('\n')) if (part !== '') this.#tell(`${kind} ${short} ${part}`);
  }

  #tell(text: string): void {
    if (this.#entries.some((entry) => entry.text === text)) return;
    this.#entries.push({ at: this.#site.clock.now(), text });
  }

  /** Throws unless each of these is told of, one after the other. */
  inOrder(...texts: string[]): void {
    const places = texts.map((text) => this.#entries.findIndex((entry) => entry.text === text));
    const missing = texts.filter((_, index) => places[index] === -1);
    if (missing.length > 0) throw new Error(`never seen: ${missing.join(', ')}\n${this.text()}`);
    const wrong = places.findIndex((place, index) => index > 0 && place < (places[index - 1] ?? 0));
    if (wrong !== -1) throw new Error(`"${texts[wrong]}" came before "${texts[wrong - 1]}"\n${this.text()}`);
  }

  saw(text: string): boolean {
    return this.#entries.some((entry) => entry.text === text);
  }

  /** How long after the one the other came. Throws unless both came to pass. */
  secondsBetween(one: string, other: string): number {
    const [from, to] = [one, other].map((text) => this.#entries.find((entry) => entry.text === text)?.at);
    if (from === undefined || to === undefined)
      throw new Error(`never seen: ${one}, ${other}\n${this.text()}`);
    return (to - from) / 1_000;
  }

  text(): string {
    const seconds = (at: number): string => `+${((at - this.#startedAt) / 1_000).toFixed(1)} s`;
    return this.#entries.map(({ at, text }) => `  ${seconds(at)} ${text}`).join('\n');
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }
}

const kindOf = ({ plural }: Resource): string =>
  ({
    pods: 'Pod',
    nodes: 'Node',
    volumeattachments: 'volume',
    machines: 'Machine',
    phaseouttestmachines: 'server',
    phaseouttestconfigs: 'bootstrap config',
  })[plural] ?? plural;

/** One line for each thing that has come to pass. */
function stateOf({ metadata, spec }: KubeObject): string {
  const isGoing = metadata.deletionTimestamp !== undefined;
  const isCordoned = Object(spec).unschedulable === true;
  return [isCordoned ? 'cordoned' : '', isLetGo(metadata) ? 'let go' : '', isGoing ? 'asked to go' : '']
    .filter((part) => part !== '')
    .join('\n');
}

/** It has had our hook, and has it no more. */
const isLetGo = ({ annotations = {} }: KubeObject['metadata']): boolean =>
  registeredAnnotation in annotations &&
  !Object.entries(annotations).some(([name, value]) => isHookOfOurs(name, value));
