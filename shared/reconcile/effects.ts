import type { Fact } from '../machine/messages.ts';
import type { Effect } from '../phase/decision.ts';
import { notAskedToGo } from '../phase/owned-object.ts';
import { ofSubject } from '../runtime/telemetry.ts';
import { cordon } from './cordon.ts';
import { evict } from './evict.ts';
import { callHooks } from './hooks.ts';
import type { EffectContext } from './step.ts';
import { unblock } from './unblock.ts';

/** Performs effects side by side; their outcomes become part of what the look has seen. */
export async function perform(effects: Effect[], context: EffectContext): Promise<Fact[]> {
  const { env, subject } = context;
  const attributes = ofSubject(subject);
  const each = effects.map((effect) =>
    env.tracing.span(effect.kind, { attributes }, () => performOne(effect, context)),
  );
  return (await Promise.all(each)).flat();
}

async function performOne(effect: Effect, context: EffectContext): Promise<Fact[]> {
  if (effect.kind === 'cordon') {
    await cordon(effect, context);
    return [];
  }
  if (effect.kind === 'evict') return evict(effect, context);
  if (effect.kind === 'unblock') return unblock(effect, context);
  if (effect.kind === 'terminate') return terminate(context);
  if (effect.kind === 'call-hooks') return callHooks(effect, context);
  // They are written before all other effects.
  if (effect.kind === 'save-hooks' || effect.kind === 'write-places') return [];
  return remove(effect, context);
}

/**
 * The Machine as it was seen names the server; the provider knows it by the Machine's UID. A provider that asked for
 * a pause is not asked again within it.
 */
async function terminate({ snapshot, env, subject }: EffectContext): Promise<Fact[]> {
  const { machine, surroundings } = subject;
  const { uid } = machine.ref;
  const { rest } = env.cache.notes(uid);
  if (rest?.generation === machine.generation && rest.age() < rest.milliseconds) {
    const afterSeconds = (rest.milliseconds - rest.age()) / 1_000;
    snapshot.recordTermination({ kind: 'retry', afterSeconds, message: rest.message });
    return [];
  }
  const answer = await env.actuator.delete({ machine: machine.raw, cluster: surroundings.cluster });
  env.log.info('Deleting instance', { outcome: answer.kind });
  snapshot.recordTermination(answer);
  if (answer.kind !== 'retry') return [];
  const { generation } = machine;
  const milliseconds = answer.afterSeconds * 1_000;
  const age = env.clock.stopwatch();
  env.cache.note(uid, { rest: { age, milliseconds, generation, message: answer.message } });
  return [];
}

async function remove(effect: Effect & { kind: 'delete' }, context: EffectContext): Promise<Fact[]> {
  const { snapshot, env } = context;
  const isReferred = effect.side === 'management';
  const api = isReferred ? env.management : await context.workload();
  const asked = api.delete(effect.resource, effect.key, effect.uid);
  const outcome = await (isReferred ? asked.catch(notAskedToGo) : asked);
  env.log.info(`Deleting ${effect.what}`, { name: effect.key.name, outcome: outcome.kind });
  snapshot.recordDeletion(effect, outcome);
  return [];
}
