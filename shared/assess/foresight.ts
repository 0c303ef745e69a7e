import { type BlockedAction, blockedActions } from '../blocked/entry.ts';
import type { Key, ObjectList, Resource, Selection, Side } from '../kubernetes/client.ts';
import type { KubeObject, Node } from '../kubernetes/objects.ts';
import { nodes, pods } from '../kubernetes/resources.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { NodeFinder } from '../phase/snapshot.ts';
import { ClusterSnapshot } from '../read/snapshot.ts';
import { objectKey } from '../read/snapshot-sources.ts';

/**
 * One look at the world, and what will have become of it once a phase has done its work. It rests on nothing that this instance
 * remembers, and leaves nothing foreseen in its memory.
 */
export class Foresight extends ClusterSnapshot {
  readonly #foreseen = new Map<string, KubeObject>();
  #gone: ReadonlySet<string> = new Set();

  override async get(side: Side, resource: Resource, key: Key): Promise<KubeObject | undefined> {
    return this.#foreseen.get(objectKey(side, resource, key)) ?? super.get(side, resource, key);
  }

  override recentGet(side: Side, resource: Resource, key: Key): Promise<KubeObject | undefined> {
    return this.get(side, resource, key);
  }

  override async list(side: Side, resource: Resource, selection?: Selection): Promise<ObjectList> {
    const list = await super.list(side, resource, selection);
    if (resource !== pods) return list;
    return { ...list, items: list.items.filter(({ metadata }) => !this.#gone.has(metadata.uid ?? '')) };
  }

  override readonly isForesight = true;
  /** Only the installation knows what it is granted. */
  override readonly actions: ReadonlySet<BlockedAction> = new Set(blockedActions);
  /** The Machine says itself where turns stand. */
  override readonly hookRecords = async (): Promise<readonly HookRecord[]> => [];
  /** People may not read it. */
  override readonly hasHookKey = async (): Promise<boolean> => true;

  /** Nothing is asked. */
  override readonly deliversCalls = async (): Promise<undefined> => undefined;

  override cordonedNode(): undefined {
    return undefined;
  }

  override rememberCordon(): void {
    // It may only be foreseen.
  }

  override get nodeFinder(): NodeFinder {
    return { ...super.nodeFinder, known: () => undefined, remember: () => undefined };
  }

  /** False where the Node has gone. */
  async foreseeCordon(name: string): Promise<boolean> {
    const node: Node | undefined = await this.get('workload', nodes, { name });
    if (node === undefined) return false;
    const cordoned: Node = { ...node, spec: { ...node.spec, unschedulable: true } };
    this.#foreseen.set(objectKey('workload', nodes, { name }), cordoned);
    return true;
  }

  /** These Pods have left the Node, by UID. */
  foreseeGone(uids: readonly string[]): void {
    this.#gone = new Set(uids);
  }
}
