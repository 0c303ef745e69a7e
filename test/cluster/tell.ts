import { resources } from './kinds.ts';
import { make } from './make.ts';
import type { Result } from './report.ts';
import { Scene, type SceneOptions } from './scene.ts';
import type { Here, Story } from './stories/story.ts';
import { Interrupted, until } from './until.ts';
import type { Way } from './ways/way.ts';

export interface Telling extends Omit<SceneOptions, 'namespace'> {
  way: Way;
  here: Here;
  namespaceOf(story: Story): string;
  onResult(result: Result): void;
}

/** Tells some at a time, then those that want to be alone, one after the other. Throws Interrupted. */
export async function tellAll(
  stories: readonly Story[],
  telling: Telling,
  parallel: number,
): Promise<Result[]> {
  const results: Result[] = [];
  const next = async (from: Story[]): Promise<void> => {
    for (let story = from.shift(); story !== undefined; story = from.shift()) {
      const result = await tellOne(story, telling);
      results.push(result);
      telling.onResult(result);
    }
  };
  const together = stories.filter(({ isAlone }) => isAlone !== true);
  await Promise.all(Array.from({ length: parallel }, () => next(together)));
  await next(stories.filter(({ isAlone }) => isAlone === true));
  return results;
}

async function tellOne(story: Story, telling: Telling): Promise<Result> {
  const { way, site, here } = telling;
  const startedAt = site.clock.now();
  const resultOf = (outcome: Result['outcome']): Result => ({
    story: story.name,
    way,
    outcome,
    seconds: (site.clock.now() - startedAt) / 1_000,
  });
  const why = story.notHere?.(here);
  if (why !== undefined) return resultOf({ kind: 'not run', why });
  const scene = new Scene({ ...telling, namespace: telling.namespaceOf(story) });
  try {
    await withServiceAccount(scene, telling);
    await story.tell(scene);
    return resultOf({ kind: 'passed' });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return resultOf({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
  } finally {
    scene.chronicle.close();
  }
}

const grace = 5_000;

/** Makes the ServiceAccount `default` where no controller does: a namespace without it takes no Pods. */
async function withServiceAccount({ site, namespace }: Scene, { run }: Telling): Promise<void> {
  const key = { namespace, name: 'default' };
  const { clock, interrupted: signal } = site;
  const look = async (): Promise<true | undefined> =>
    (await site.kubernetes.get(resources.serviceAccounts, key)) === undefined ? undefined : true;
  await until('', { clock, signal, deadline: clock.now() + grace }, look).catch(async (error: unknown) => {
    if (error instanceof Interrupted) throw error;
    await make(site, run, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key });
  });
}
