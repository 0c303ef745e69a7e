import { expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import type { Report } from '../../../shared/machine/report.ts';
import { heldUpEvents } from '../../../shared/reconcile/report-wait.ts';
import { writeEvents } from '../../../shared/write/events.ts';
import { beside } from '../../builders/beside.ts';
import { aMachine } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'workers', uid: 'uid-s' };
const owned = (controller = true, kind = 'MachineSet') =>
  aMachine({ metadata: { ownerReferences: [{ ...owner, kind, controller }] } });
const budget: Report = { reason: 'DrainingNode', message: 'cannot evict', isHeldUp: true };
const message = 'Machine m-1: cannot evict';

test.each<
  [what: string, dialect: Dialect, machine: ReturnType<typeof owned>, report: Report, told: string[]]
>([
  ['that is held up', beside(), owned(), budget, [message]],
  ['that fails', beside(), owned(), { ...budget, isHeldUp: false, error: 'no' }, ['Machine m-1: no']],
  ['that waits', beside(), owned(), { reason: 'DrainingNode', message: 'soon' }, []],
  ['in place of its own controller', clusterApi, owned(), budget, []],
  ['of another owner', beside(), owned(true, 'KubeadmControlPlane'), budget, []],
  ['of a MachineSet that does not control it', beside(), owned(false), budget, []],
])('the MachineSet of a Machine %s hears of it, or not', (_what, dialect, machine, report, told) => {
  const facts = heldUpEvents(aSubject({ dialect, machine }), report);
  expect(facts.map((fact) => [fact.reason, fact.message, fact.about])).toEqual(
    told.map((text) => ['DrainHeldUp', text, owner]),
  );
});

test('the Event is about the MachineSet, in the namespace of the Machine', async () => {
  const world = aWorld();
  const subject = aSubject({ dialect: beside(), machine: owned() });
  const events: unknown[] = [];
  world.env.management = Object.assign(Object.create(world.management), {
    create: async (_resource: unknown, object: unknown) => {
      events.push(object);
      return { kind: 'written', object };
    },
  });
  await writeEvents(world.env, subject, heldUpEvents(subject, budget));
  expect(events).toMatchObject([{ involvedObject: { ...owner, namespace: 'default' } }]);
});
