import { describe, expect, test } from 'vitest';
import { save } from './asked.ts';
import { machines } from './built-stage.ts';
import { hooksHold } from './hooks-hold.ts';
import { infrastructureAfterDrain } from './infrastructure-after-drain.ts';
import type { Invariant } from './invariant.ts';
import { onlyOfDeletedMachines } from './only-what-is-ours.ts';
import { pausedIsLeftAlone } from './paused-is-left-alone.ts';
import { openStage, type Stage } from './stage.ts';

/** An instance has the server of a Machine deleted; `apiVersion`: of the Machine that it names. */
function removeServer({ world, observer }: Stage, name: string, apiVersion?: string): void {
  const machine = world.management.get(machines, 'fleet', name);
  if (machine === undefined) throw new Error(`${name} is gone`);
  const meant = apiVersion === undefined ? machine : { ...machine, apiVersion };
  const call = { instance: 'instance-1', operation: 'delete', machine: meant, cluster: undefined } as const;
  observer.provider?.(call, { kind: 'accepted' });
}

const annotated = (key: string) => (stage: Stage) =>
  stage.patchMachine({ metadata: { annotations: { [key]: '' } } });

const hook = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a';

interface Case {
  about: string;
  invariant: Invariant;
  before?: (stage: Stage) => void;
  name?: string;
  apiVersion?: string;
  /** What is wrong with it; nothing where all is well. */
  cries?: string;
}

const cases: Case[] = [
  {
    about: 'while a hook is there',
    invariant: hooksHold,
    before: annotated(hook),
    cries: `fleet/m1: hooks hold it: ${hook}`,
  },
  { about: 'while no hook is there', invariant: hooksHold },
  {
    about: 'of a Machine that is paused',
    invariant: pausedIsLeftAlone,
    before: annotated('cluster.x-k8s.io/paused'),
    cries: 'fleet/m1: its Machine is to be left alone, it is paused',
  },
  { about: 'of a Machine that is not paused', invariant: pausedIsLeftAlone },
  {
    about: 'of a Machine that lives',
    invariant: onlyOfDeletedMachines,
    name: 'm2',
    cries: 'fleet/m2: Machine fleet/m2 lives',
  },
  { about: 'of a Machine that is being deleted', invariant: onlyOfDeletedMachines },
  {
    about: 'before the drain is over',
    invariant: infrastructureAfterDrain,
    before: (stage) => save(stage, { phase: 'drain' }),
    apiVersion: 'machine.openshift.io/v1beta1',
    cries: 'fleet/m1: its checkpoint stands at drain',
  },
  {
    about: 'after the drain',
    invariant: infrastructureAfterDrain,
    before: (stage) =>
      save(stage, { phase: 'infrastructure', passed: { drain: 'done', 'volume-detach': 'done' } }),
    apiVersion: 'machine.openshift.io/v1beta1',
  },
];

describe('the end of a server:', () => {
  test.each(cases)('$about', async ({ invariant, before, name = 'm1', apiVersion, cries }) => {
    const stage = await openStage(invariant);
    before?.(stage);
    await stage.pass(10);
    stage.look();
    removeServer(stage, name, apiVersion);
    const by = 'instance-1 has the provider delete the server of Machine';
    expect(stage.cries).toEqual(cries === undefined ? [] : [`${by} ${cries}`]);
  });
});
