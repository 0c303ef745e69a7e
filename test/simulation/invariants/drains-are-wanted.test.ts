import { expect, test } from 'vitest';
import { cordon, evict, nodeOf } from './asked.ts';
import { testsOf } from './cases.ts';
import { drainsAreWanted } from './drains-are-wanted.ts';
import { whyTooLate } from './sight/gate.ts';
import type { Stage } from './stage.ts';

const invariant = drainsAreWanted;
const infrastructure = 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io';
const cordons = "instance-1 cordons Node node-1 in blue: this is nobody's wish,";

const exclude =
  (value: string) =>
  (stage: Stage): void =>
    stage.patchMachine({
      metadata: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': value } },
    });

const removeInfrastructure = ({ world: { management } }: Stage): void =>
  management.remove(infrastructure, { metadata: { namespace: 'fleet', name: 'm1' } });

/** Longer ago than anybody may believe otherwise. */
async function longAgo(stage: Stage, change: (stage: Stage) => void): Promise<void> {
  change(stage);
  await stage.pass(10_000);
  stage.look();
}

const cordoned =
  (change: (stage: Stage) => void) =>
  async (stage: Stage): Promise<void> => {
    await longAgo(stage, change);
    stage.ask(cordon(nodeOf(stage)));
  };

testsOf([
  { about: 'the Node of a Machine that is to be drained', invariant, act: cordoned(() => undefined) },
  {
    about: 'the Node of one that is excluded, whatever the annotation says',
    invariant,
    act: cordoned(exclude('false')),
    cries: `${cordons} its Machine is excluded from drains`,
  },
  {
    about: 'the Node of one whose server is on its way',
    invariant,
    act: cordoned(removeInfrastructure),
    cries: `${cordons} its infrastructure is being deleted`,
  },
  {
    about: 'a Pod of one that is excluded',
    invariant,
    async act(stage) {
      const pod = stage.pod('a');
      await longAgo(stage, exclude(''));
      stage.ask(evict(pod));
    },
    cries: "instance-1 evicts Pod shop/a in blue: this is nobody's wish, its Machine is excluded from drains",
  },
  {
    about: 'one that is excluded right before, and nobody can know',
    invariant,
    act(stage) {
      stage.look();
      exclude('')(stage);
      stage.ask(cordon(nodeOf(stage)));
    },
  },
]);

/** The API that the stage serves does not know of it. */
test.each([
  ['2026-01-01T00:00:00Z', 'its pre-terminate hooks have been waited for'],
  ['2025-12-31T23:59:59Z', 'its infrastructure is gone'],
])('a drain comes too late for a Machine of 2026 that has waited for hooks since %s: %s', (time, why) => {
  const metadata = { name: 'm1', creationTimestamp: '2026-01-01T00:00:00Z' };
  const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata };
  const view = { get: () => undefined, list: () => [] };
  const deletion = { waitForPreTerminateHookStartTime: time };
  expect(whyTooLate(view, { ...machine, status: { deletion } })).toBe(why);
});
