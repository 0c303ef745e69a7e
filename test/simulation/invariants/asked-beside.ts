import type { Config } from '../../../shared/runtime/config.ts';
import { exclusions, ourHook, ourName, ourSecondHook } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import { checkpoint, save, type Written } from './asked.ts';
import { fleet, machines } from './built-stage.ts';
import { pathOf } from './sight/json-patch.ts';
import { checkpointKey } from './sight/machine.ts';
import type { Stage } from './stage.ts';

/** From now on phaseout works beside Cluster API's own controller; m1 has its hook. */
export function beside(stage: Stage, config: Partial<Config> = {}): void {
  const { world } = stage;
  const mode = { capi: 'beside', openshift: 'replace', v1alpha1: 'replace' } as const;
  world.config = { ...world.config, mode, ...config };
  hook(stage, ourName);
}

/** As somebody else puts it on, or takes it off. */
export const hook = (stage: Stage, value: string | null): void =>
  stage.patchMachine({ metadata: { annotations: { [ourHook]: value } } });

/** The same of our hook before the end of a server. */
export const secondHook = (stage: Stage, value: string | null): void =>
  stage.patchMachine({ metadata: { annotations: { [ourSecondHook]: value } } });

/** The last phase is reached so. */
export function reach(stage: Stage, passed: Record<string, string>): void {
  beside(stage);
  save(stage, { seq: 3, phase: 'hand-over', passed });
}

interface HandOver extends Written {
  excluded?: readonly (keyof typeof exclusions)[];
  instance?: string;
  /** Which of our hooks. */
  hook?: string;
}

/** An instance takes a hook of ours off, and the server does so. */
export function handOver(
  stage: Stage,
  { excluded = [], instance = 'instance-1', hook: off = ourHook, ...written }: HandOver = {},
): void {
  const { uid, resourceVersion } = stage.machine().metadata;
  const released = new Date(stage.world.now()).toISOString();
  const done = { drain: 'done', 'volume-detach': 'done' };
  const text = checkpoint(stage, { seq: 4, phase: 'hand-over', passed: done, ...written, released });
  const body = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'test', path: pathOf(off), value: ourName },
    { op: 'remove', path: pathOf(off) },
    { op: 'add', path: pathOf(checkpointKey), value: text },
    ...excluded.map((step) => ({ op: 'add', path: pathOf(exclusions[step]), value: ourName })),
  ];
  const annotations = { [off]: null, [checkpointKey]: text };
  stage.ask({ instance, ...ofMachine, body }, () => stage.patchMachine({ metadata: { annotations } }));
}

const ofMachine = { verb: 'patch', resource: machines, ...fleet } as const;

/** An instance puts our hook on a Machine, or writes these annotations. */
export const register = (
  name: string,
  annotations: object = { [ourHook]: ourName, 'phaseout.dev/registered': '1' },
): Partial<Exchange> => ({ ...ofMachine, name, body: { metadata: { annotations } } });
