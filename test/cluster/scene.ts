import type { Cloud } from '../../infra/local/provider/cloud.ts';
import type { Key, Resource } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { checkpointAnnotation } from '../../shared/machine/checkpoint.ts';
import { Chronicle, storyLabel } from './chronicle.ts';
import type { Installation } from './install/install.ts';
import { inCapiVersion, isNamespaced, pathOf, resources } from './kinds.ts';
import { make, whyNot } from './make.ts';
import type { Site } from './site.ts';
import { until } from './until.ts';
import type { Running } from './ways/way.ts';

export interface SceneOptions {
  site: Site;
  run: string;
  installation: Installation;
  phaseout: Running;
  cloud: Cloud;
  namespace: string;
  timeoutSeconds: number;
}

/** Where one story is told: a namespace, objects that are its own, and a look at what becomes of them. */
export class Scene {
  readonly site: Site;
  readonly installation: Installation;
  readonly phaseout: Running;
  readonly cloud: Cloud;
  readonly namespace: string;
  readonly chronicle: Chronicle;
  /** Name of the run; of the installation too, in mode beside. */
  readonly run: string;
  readonly #deadline: number;

  constructor(options: SceneOptions) {
    const { site, timeoutSeconds } = options;
    this.site = site;
    this.installation = options.installation;
    this.phaseout = options.phaseout;
    this.cloud = options.cloud;
    this.namespace = options.namespace;
    this.chronicle = new Chronicle(site);
    this.run = options.run;
    this.#deadline = site.clock.now() + timeoutSeconds * 1_000;
  }

  /** The name of something that is in no namespace. */
  global(name: string): string {
    return `${this.namespace}--${name}`;
  }

  /** Made in the story's namespace, where it has one. Throws NotMade. */
  make(object: KubeObject): Promise<KubeObject> {
    const labels = { ...object.metadata.labels, [storyLabel]: this.namespace };
    const metadata = { ...object.metadata, labels };
    if (isNamespaced(object)) metadata.namespace ??= this.namespace;
    return make(this.site, this.run, { ...object, apiVersion: this.#apiVersion(object), metadata });
  }

  /** From now on what becomes of the story's objects is kept. */
  follow(): Promise<void> {
    const { capiMachines, openshiftMachines, v1alpha1Machines, infrastructure, bootstrap } = resources;
    const more = [capiMachines, openshiftMachines, v1alpha1Machines, infrastructure, bootstrap];
    return this.chronicle.follow(
      this.namespace,
      more.map((resource) => this.#served(resource)),
    );
  }

  key(name: string): Key {
    return { namespace: this.namespace, name };
  }

  get(resource: Resource, name: string): Promise<KubeObject | undefined> {
    return this.site.kubernetes.get(this.#served(resource), this.key(name));
  }

  /** Throws what the API server refused it with. */
  async patch(resource: Resource, key: Key, patch: object, subresource?: 'status'): Promise<void> {
    const outcome = await this.site.kubernetes.mergePatch(this.#served(resource), key, patch, subresource);
    if (outcome.kind === 'written') return;
    throw new Error(`${resource.plural} ${key.name} could not be changed: ${whyNot(outcome)}`);
  }

  annotate(resource: Resource, name: string, annotations: Record<string, string | null>): Promise<void> {
    return this.patch(resource, this.key(name), { metadata: { annotations } });
  }

  /** What a user does who wants it gone. */
  async remove(resource: Resource, name: string): Promise<void> {
    const path = pathOf(this.#served(resource), this.key(name));
    const { code, body } = await this.site.ask({ method: 'DELETE', path });
    if (code >= 300)
      throw new Error(`${resource.plural} ${name} could not be deleted: ${JSON.stringify(body)}`);
  }

  /** Looks until it is so. Throws TooLate with all that was seen, and Interrupted. */
  until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
    const { clock, interrupted } = this.site;
    const waiting = { clock, deadline: this.#deadline, signal: interrupted };
    return until(what, waiting, look, () => this.describe());
  }

  async untilGone(resource: Resource, ...names: string[]): Promise<void> {
    await this.until(`${names.join(', ')} to be gone`, async () => {
      const found = await Promise.all(names.map((name) => this.get(resource, name)));
      return found.every((one) => one === undefined) ? true : undefined;
    });
  }

  untilSeen(text: string): Promise<true> {
    return this.until(text, () => (this.chronicle.saw(text) ? true : undefined));
  }

  /** Resolves with the Machine when the condition has this reason, and this message if one is given. */
  untilCondition(resource: Resource, name: string, wanted: Condition): Promise<KubeObject> {
    return this.until(`condition ${JSON.stringify(wanted)} of ${name}`, async () => {
      const machine = await this.get(resource, name);
      if (machine === undefined)
        throw new Error(`${name} is gone: it never said ${JSON.stringify(wanted)}\n${this.chronicle.text()}`);
      return conditionsOf(machine).some((one) => isLike(one, wanted)) ? machine : undefined;
    });
  }

  /** Where the Machines of the story are: why a story is not done. */
  async describe(): Promise<string> {
    const { capiMachines, openshiftMachines, v1alpha1Machines } = resources;
    const lists = [capiMachines, openshiftMachines, v1alpha1Machines].map((resource) =>
      this.site.kubernetes.list(this.#served(resource), { namespace: this.namespace }),
    );
    const machines = (await Promise.all(lists)).flatMap(({ items }) => items).map(standingOf);
    return `\n${[...machines, 'seen:', this.chronicle.text(), 'logged:', ...this.#logged()].join('\n')}`;
  }

  /** Stories name Cluster API in its newest version. */
  #served(resource: Resource): Resource {
    return inCapiVersion(resource, this.installation.capi);
  }

  #apiVersion({ apiVersion = '' }: KubeObject): string {
    const group = `${resources.capiMachines.group}/`;
    return apiVersion.startsWith(group) ? `${group}${this.installation.capi}` : apiVersion;
  }

  #logged(): string[] {
    const about = this.phaseout.log().filter((line) => line.includes(this.namespace));
    return about.slice(-12).map((line) => `  ${line.slice(0, 300)}`);
  }
}

interface Condition {
  type: string;
  status?: string;
  reason?: string;
  message?: string;
}

/** Cluster API has those with a reason apart from the others in v1beta1. */
function conditionsOf({ status }: KubeObject): Record<string, unknown>[] {
  const { conditions = [] } = Object(Object(status).v1beta2 ?? status);
  return Array.isArray(conditions) ? conditions.map((one) => ({ ...Object(one) })) : [];
}

const isLike = (one: Record<string, unknown>, wanted: Condition): boolean =>
  Object.entries(wanted).every(([field, value]) => one[field] === value);

function standingOf(machine: KubeObject): string {
  const { name, deletionTimestamp, annotations = {} } = machine.metadata;
  const conditions = conditionsOf(machine).map(
    ({ type, reason, message }) => `${String(type)}=${String(reason)}: ${String(message)}`,
  );
  const about =
    deletionTimestamp === undefined ? 'lives' : (annotations[checkpointAnnotation] ?? 'has no checkpoint');
  return [`Machine ${name}: ${about}`, ...conditions.map((text) => `    ${text}`)].join('\n');
}
