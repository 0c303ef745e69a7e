import type { CloudEvent } from '../../../infra/local/eventing/event.ts';
import type { HookSpec, PlayedHook } from '../platform/functions/played.ts';
import { machines } from './built-stage.ts';
import type { Invariant } from './invariant.ts';
import { hooksKey } from './sight/machine.ts';
import { openStage, type Stage } from './stage.ts';

/** A DeletionHook for all workers, whose function is done at once. */
export const aHook = (
  name: string,
  spec: Partial<HookSpec> = {},
  plays: PlayedHook['plays'] = { until: 'Working', calls: 0 },
): PlayedHook => ({
  namespace: 'fleet',
  name,
  spec: {
    at: 'PreDrain',
    order: 0,
    every: '10s',
    silentAfter: '5m',
    onClusterDeletion: 'Proceed',
    controlPlanes: false,
    ...spec,
  },
  plays,
});

/** A stage with DeletionHooks, and a minute since the Machine was deleted. */
export async function openWithFunctions(invariant: Invariant, hooks: readonly PlayedHook[]): Promise<Stage> {
  const stage = await openStage(invariant, {}, hooks);
  await stage.pass(60_000);
  stage.look();
  return stage;
}

interface Turn {
  name: string;
  place?: string;
  begin?: string;
  /** As what it has ended. */
  end?: string;
}

/** As instances write times. */
export const nowIn = ({ world }: Stage): string => new Date(world.now()).toISOString();

/** An instance writes down who is asked for m1, and where their turns stand. */
export function tellTurns(stage: Stage, turns: readonly Turn[], code = 200): void {
  const { uid, resourceVersion } = stage.machine().metadata;
  const hooks = turns.map(({ end, place = 'PreDrain', ...turn }) => ({
    place,
    ...turn,
    ...(end !== undefined && { end: { as: end } }),
  }));
  const text = JSON.stringify({ v: 1, uid, hooks });
  const body = { metadata: { uid, resourceVersion, annotations: { [hooksKey]: text } } };
  const asked = { verb: 'patch', resource: machines, namespace: 'fleet', name: 'm1', body };
  stage.ask(asked, () => (code < 300 ? stage.patchMachine(body) : undefined), code);
}

interface Call {
  name?: string;
  /** Of the Machine. */
  uid?: string;
  place?: string;
  begins?: string;
  attempt?: number;
}

const uidOf = ({ world }: Stage, name: string): string =>
  world.management.get(machines, 'fleet', name)?.metadata.uid ?? '';

/** About the other Machine. */
export const ofOther = (stage: Stage): Call => ({ uid: uidOf(stage, 'm2') });

/** An instance asks a function about m1. It takes the call, and its reply comes to the Broker. */
export function callFunction(stage: Stage, call: Call = {}): void {
  const event = aCall(stage, call);
  for (const observer of stage.world.observers) observer.sent?.(event);
  stage.world.functions.take(event);
}

export function aCall(
  stage: Stage,
  { name = 'move-data', uid = uidOf(stage, 'm1'), place = 'PreDrain', attempt = 1, ...call }: Call = {},
): CloudEvent {
  const { begins = nowIn(stage) } = call;
  const data = { hook: `fleet/${name}`, place, machine: { uid }, begins, attempt };
  return {
    attributes: {
      type: 'dev.phaseout.hook.call.v1',
      id: `call-${name}-${attempt}`,
      hook: `fleet/${name}`,
      answerto: 'turn.proof',
    },
    data: Buffer.from(JSON.stringify(data)),
  };
}
