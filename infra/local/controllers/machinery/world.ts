import type { Clock } from '../../../../shared/time/clock.ts';
import type { Cluster, DeleteOptions, KubeObject } from '../../kubernetes/objects/cluster.ts';
import type { Informer } from './informer.ts';
import { Informers } from './informers.ts';
import { keyOf, uidOf } from './objects.ts';
import type { Settings } from './settings.ts';
import { WorkQueue } from './work-queue.ts';

export type Report = (error: unknown, about: string) => void;

/** One controller: subscribes to what it needs and reconciles from then on. */
export type Controller = (world: World) => void;

/** What the controllers share: informers, queues on one clock, and writes that the informers learn of at once. */
export class World {
  readonly clock: Clock;
  readonly settings: Settings;
  readonly informers: Informers;
  readonly #cluster: Cluster;
  readonly #report: Report;
  readonly #queues: WorkQueue[] = [];
  readonly #endings: (() => void)[] = [];
  #isStopped = false;

  constructor(cluster: Cluster, clock: Clock, settings: Settings, report: Report) {
    this.#cluster = cluster;
    this.clock = clock;
    this.settings = settings;
    this.#report = report;
    this.informers = new Informers(cluster);
  }

  informer<T extends KubeObject>(resource: string): Informer<T> {
    return this.informers.of<T>(resource);
  }

  queue(name: string, reconcile: (key: string) => void): WorkQueue {
    const report = (error: unknown, key: string): void => this.#report(error, `${name} ${key}`);
    const queue = new WorkQueue({ clock: this.clock, reconcile, report });
    this.#queues.push(queue);
    return queue;
  }

  create(resource: string, object: KubeObject): KubeObject {
    const created = this.#cluster.create(resource, object);
    this.informers.refresh(resource, keyOf(created));
    return created;
  }

  /** Refused if the object has been replaced by another of the same name. */
  patch(resource: string, object: KubeObject, patch: object, subresource?: string): void {
    this.#cluster.patch(resource, object, patch, subresource);
    this.informers.refresh(resource, keyOf(object));
  }

  /** Like any patch. Null takes the status away. */
  writeStatus(resource: string, object: KubeObject, status: object | null): void {
    this.patch(resource, object, { status }, 'status');
  }

  /** Refused also if the object has changed since it was read: what others have written meanwhile stays. */
  patchUnchanged(
    resource: string,
    object: KubeObject,
    { metadata, ...patch }: { metadata?: object; [field: string]: unknown },
    subresource?: string,
  ): void {
    const { resourceVersion } = object.metadata;
    this.patch(resource, object, { ...patch, metadata: { resourceVersion, ...metadata } }, subresource);
  }

  remove(resource: string, object: KubeObject, options: DeleteOptions = {}): void {
    this.#cluster.remove(resource, object, { preconditions: { uid: uidOf(object) }, ...options });
    this.informers.refresh(resource, keyOf(object));
  }

  /** Asks for the Pod's eviction, which its disruption budget may refuse. */
  evict(pod: KubeObject, options: DeleteOptions = {}): void {
    this.#cluster.evict(pod, options);
    this.informers.refresh('pods', keyOf(pod));
  }

  /** Removes one finalizer and keeps the others, also those added in between. */
  dropFinalizer(resource: string, object: KubeObject, finalizer: string): void {
    const left = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    this.patchUnchanged(resource, object, { metadata: { finalizers: left.length > 0 ? left : null } });
  }

  addFinalizer(resource: string, object: KubeObject, finalizer: string): void {
    const finalizers = [...(object.metadata.finalizers ?? []), finalizer];
    this.patchUnchanged(resource, object, { metadata: { finalizers } });
  }

  /** Gives the Pod its Node, as the scheduler does through the binding subresource. */
  bind(pod: KubeObject, nodeName: string): void {
    this.patch('pods', pod, { spec: { nodeName } }, 'binding');
  }

  /** For what no informer keeps. */
  list(resource: string, namespace: string): KubeObject[] {
    return this.#cluster.list(resource, { namespace });
  }

  /** Another cluster on the same clock, for as long as this one. */
  beside(cluster: Cluster): World {
    const other = new World(cluster, this.clock, this.settings, this.#report);
    this.onStop(() => other.stop());
    return other;
  }

  /** For what a controller holds on to outside the cluster. */
  onStop(end: () => void): void {
    this.#endings.push(end);
  }

  /** Answers that arrive afterwards come too late: nothing may be written any more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    this.#isStopped = true;
    for (const end of this.#endings) end();
    for (const queue of this.#queues) queue.stop();
    this.informers.stop();
  }
}
