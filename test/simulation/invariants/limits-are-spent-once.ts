import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { exclusions } from '../scenario/beside.ts';
import { nameOf } from '../story/news.ts';
import { awaitedOn } from './exclusions-have-causes.ts';
import { mayBeLetGo } from './hand-over-is-due.ts';
import type { Invariant } from './invariant.ts';
import { standOf } from './sight/checkpoint.ts';
import { longLeft } from './sight/drain-court.ts';
import { addedIn } from './sight/json-patch.ts';
import { type Case, judging } from './sight/judging.ts';
import { limitedSteps, limitOf, limitsOfSteps } from './sight/limits.ts';
import { machineIn } from './sight/machine.ts';
import { machineRead, type Witness, witnessOf } from './sight/witness.ts';

/** The Node is looked at right before, and a request may be late. */
const believedMilliseconds = 8_000;

/** Cluster API's own controller begins its drain from zero, and waits also for Pods that have completed. */
export const limitsAreSpentOnce: Invariant = {
  name: 'a time limit that is over is not spent once more after the hand-over, and completed Pods are not waited for',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['hand over'],
      ({ plan, machine, actor, exchange: { body } }) => {
        if (plan === undefined || machine === undefined) return undefined;
        const of = { actor, plan, machine };
        const open = limitedSteps.filter((step) => !isExcluded(machine, body, exclusions[step]));
        const why = spentTwice(of, open, witness) ?? waitedFor(of, open, witness);
        return why === undefined || mayBeLetGo(witness, of) ? undefined : why;
      },
      violated,
    );
  },
};

type Open = readonly (typeof limitedSteps)[number][];

const isExcluded = ({ metadata }: KubeObject, body: unknown, exclusion: string): boolean =>
  addedIn(body, exclusion) !== undefined || metadata.annotations?.[exclusion] !== undefined;

function spentTwice({ actor, plan, machine }: Case, open: Open, witness: Witness): string | undefined {
  const passed = standOf(machine)?.passed;
  const step = open.find((each) => passed?.get(each) === 'timed-out');
  if (step === undefined) return undefined;
  const hadNone = witness.wasSoLately(
    actor,
    [machineRead(plan)],
    (view) => limitOf(machineIn(view, plan) ?? machine, limitsOfSteps[step]) <= 0,
  );
  return hadNone ? undefined : `the time for ${step} is over, and is spent once more`;
}

function waitedFor(of: Case, open: Open, witness: Witness): string | undefined {
  if (!open.includes('drain') || standOf(of.machine)?.passed.get('drain') !== 'done') return undefined;
  const pods = longLeft(witness, of, believedMilliseconds, (court) => awaitedOn(court, of.plan).map(nameOf));
  return pods.length === 0 ? undefined : `these Pods are waited for: ${pods.join(', ')}`;
}
