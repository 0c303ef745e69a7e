import { pingSourceObject, scheduleOf } from '../../stories/missed-events/schedules.ts';
import type { World } from '../world.ts';
import type { WorldParts } from '../world-parts.ts';
import { declared } from './declared.ts';

const due = 'sweep-due';

/** For the configuration of instances: the tick that asks for what is due rests while nothing is being deleted. */
export const restingTick = `fleet/${due}`;

/** It goes, or rests, as an earlier installation left it. */
export function buildRestingTick({ management }: World, parts: Ticks, goes: boolean): void {
  const source = sourceOf(parts);
  const object = pingSourceObject(source);
  const schedule = goes ? source.schedule : source.atRest;
  const { namespace = '' } = object.metadata;
  if (management.get('namespaces', undefined, namespace) === undefined)
    management.create('namespaces', { metadata: { name: namespace } });
  management.create('pingsources.sources.knative.dev', { ...object, spec: { schedule } });
}

/** Undefined where it never rests. */
export function doesTickGo({ management, config }: World): boolean | undefined {
  if (config.duePingSource === undefined) return undefined;
  return scheduleOf(management, usual) !== usual.atRest;
}

type Ticks = Pick<WorldParts, 'dueSeconds' | 'allMinutes'>;

function sourceOf(ticks: Ticks) {
  const found = declared('v1beta2', ticks).pingSources.find(({ name }) => name === due);
  if (found?.atRest === undefined) throw new Error(`serverless.yml declares no ${due} that rests`);
  return found;
}

/** Whatever its schedule is, it has this name, and rests in the same way. */
const usual = sourceOf({});
