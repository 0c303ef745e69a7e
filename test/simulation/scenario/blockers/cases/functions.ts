import { type Asked, serializeAsked } from '../../../../../shared/hooks/asked.ts';
import { anAsked } from '../../../../builders/asked.ts';
import type { Behaviour, HookSpec, PlayedHook } from '../../../platform/functions/played.ts';
import type { World } from '../../../world.ts';
import type { HeldCases } from './held.ts';

const never: Behaviour = { until: 'Working', calls: undefined };

const aFunction = (spec: Partial<HookSpec> = {}, plays = never, name = 'move-data'): PlayedHook => ({
  namespace: 'fleet',
  name,
  spec: {
    at: 'PreDrain',
    order: 0,
    every: '5s',
    silentAfter: '5m',
    onClusterDeletion: 'Proceed',
    controlPlanes: false,
    ...spec,
  },
  plays,
});

/** Their functions are asked for the Machine. */
const asked =
  (...parts: readonly Partial<Asked>[]) =>
  ({ management }: World): void => {
    const resource = 'machines.cluster.x-k8s.io';
    const machine = management.get(resource, 'fleet', 'worker');
    if (machine === undefined) throw new Error('worker is gone');
    const hooks = parts.map((part) => anAsked({ begin: '2026-01-01T00:00:03Z', ...part }));
    const text = serializeAsked(machine.metadata.uid ?? '', hooks);
    management.patch(resource, machine, { metadata: { annotations: { 'phaseout.dev/hooks': text } } });
  };

const end = { as: 'Done', at: '2026-01-01T00:00:04Z', why: 'all is done' } as const;

/** What functions hold. */
export const functionCases: HeldCases = {
  'a function that is never done': {
    phase: 'pre-drain',
    functions: [aFunction()],
    afterwards: asked({}),
    held: 'function',
  },
  'a function before the server goes that is never done': {
    phase: 'pre-terminate',
    functions: [aFunction({ at: 'PreTerminate' })],
    afterwards: asked({ place: 'PreTerminate' }),
    held: 'function',
  },
  'a function that is done at its third call': {
    phase: 'pre-drain',
    functions: [aFunction({}, { until: 'Working', calls: 2 })],
    afterwards: asked({}),
  },
  'a function that a time limit passes': {
    phase: 'pre-drain',
    functions: [aFunction({ timeout: '33s', onTimeout: 'Proceed' })],
    afterwards: asked({}),
  },
  'a function that a time limit does not pass': {
    phase: 'pre-drain',
    functions: [aFunction({ timeout: '33s', onTimeout: 'Hold' })],
    afterwards: asked({}),
    held: 'function',
  },
  'a function that comes after one that is done some time': {
    phase: 'pre-drain',
    functions: [aFunction({ order: 5 }), aFunction({}, { until: undefined, calls: 1 }, 'first')],
    afterwards: asked({ name: 'first' }, { order: 5 }),
  },
  'a function whose turn has ended': {
    phase: 'pre-drain',
    functions: [aFunction()],
    afterwards: asked({ end }),
  },
  'a function of a place that is passed': {
    phase: 'drain',
    functions: [aFunction()],
    afterwards: asked({}),
  },
};
