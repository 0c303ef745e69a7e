import type { Announcement } from '../machine/messages.ts';
import type { Effect } from '../phase/decision.ts';
import { cordon } from './cordon.ts';
import { evict } from './evict.ts';
import { ofSubject } from '../runtime/trace-propagation.ts';
import type { Performance } from './effect-context.ts';
import { notAskedToGo } from '../phase/owned-object.ts';

/** Performs effects side by side; their outcomes become part of what the look has seen. */
export async function perform(effects: Effect[], performance: Performance): Promise<Announcement[]> {
  const { env, subject } = performance;
  const attributes = ofSubject(subject);
  const each = effects.map((effect) =>
    env.tracing.span(effect.kind, { attributes }, () => performOne(effect, performance)),
  );
  return (await Promise.all(each)).flat();
}

async function performOne(effect: Effect, performance: Performance): Promise<Announcement[]> {
  if (effect.kind === 'cordon') {
    await cordon(effect, performance);
    return [];
  }
  if (effect.kind === 'evict') return evict(effect, performance);
  if (effect.kind === 'terminate') return terminate(performance);
  return remove(effect, performance);
}

/**
 * The Machine as it was seen says which server is meant; the provider knows it by the Machine's UID. One that has
 * asked for time is not asked again within it, whoever looks meanwhile.
 */
async function terminate({ look, env, subject }: Performance): Promise<Announcement[]> {
  const { machine, surroundings } = subject;
  const { uid } = machine.ref;
  const rest = env.memory.rest(uid, machine.generation);
  if (rest !== undefined) {
    const afterSeconds = (rest.milliseconds - rest.age()) / 1_000;
    look.recordTermination({ kind: 'retry', afterSeconds, message: rest.message });
    return [];
  }
  const answer = await env.actuator.delete({ machine: machine.raw, cluster: surroundings.cluster });
  env.log.info('Deleting instance', { outcome: answer.kind });
  look.recordTermination(answer);
  if (answer.kind !== 'retry') return [];
  const { generation } = machine;
  const milliseconds = answer.afterSeconds * 1_000;
  const age = env.clock.stopwatch();
  env.memory.rememberRest(uid, { age, milliseconds, generation, message: answer.message });
  return [];
}

async function remove(
  effect: Effect & { kind: 'delete' },
  performance: Performance,
): Promise<Announcement[]> {
  const { look, env } = performance;
  const isReferred = effect.side === 'management';
  const api = isReferred ? env.management : await performance.workload();
  const asked = api.delete(effect.resource, effect.key, effect.uid);
  const outcome = await (isReferred ? asked.catch(notAskedToGo) : asked);
  env.log.info(`Deleting ${effect.what}`, { name: effect.key.name, outcome: outcome.kind });
  look.recordDeletion(effect, outcome);
  return [];
}
