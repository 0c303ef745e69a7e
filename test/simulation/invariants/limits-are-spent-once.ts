import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { exclusions } from '../scenario/beside.ts';
import { nameOf } from '../story/news.ts';
import { awaitedOn } from './exclusions-have-causes.ts';
import { mayBeLetGo } from './hand-over-is-due.ts';
import type { Invariant } from './invariant.ts';
import { type Stand, writtenStand } from './sight/checkpoint.ts';
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
      ({ plan, machine, actor, exchange }) => {
        // OpenShift's own controllers evict what is left, completed or not, and know no limits.
        if (plan?.api !== 'capi' || machine === undefined) return undefined;
        const { body } = exchange;
        const stand = writtenStand(exchange, machine);
        const passed: Passed = typeof stand === 'object' ? stand.passed : new Map();
        const of = { actor, plan, machine };
        const open = limitedSteps.filter((step) => !isExcluded(machine, body, exclusions[step]));
        const why = spentTwice(of, { open, passed }, witness) ?? waitedFor(of, { open, passed }, witness);
        return why === undefined || mayBeLetGo(witness, of) ? undefined : why;
      },
      violated,
    );
  },
};

type Passed = Stand['passed'];

/** What Cluster API's own controller does itself, and how we have passed it. */
interface Left {
  open: readonly (typeof limitedSteps)[number][];
  passed: Passed;
}

const isExcluded = ({ metadata }: KubeObject, body: unknown, exclusion: string): boolean =>
  addedIn(body, exclusion) !== undefined || metadata.annotations?.[exclusion] !== undefined;

function spentTwice(
  { actor, plan, machine }: Case,
  { open, passed }: Left,
  witness: Witness,
): string | undefined {
  const step = open.find((each) => passed.get(each) === 'timed-out');
  if (step === undefined) return undefined;
  const hadNone = witness.wasSoLately(
    actor,
    [machineRead(plan)],
    (view) => limitOf(machineIn(view, plan) ?? machine, limitsOfSteps[step]) <= 0,
  );
  return hadNone ? undefined : `the time for ${step} is over, and is spent once more`;
}

function waitedFor(of: Case, { open, passed }: Left, witness: Witness): string | undefined {
  if (!open.includes('drain') || passed.get('drain') !== 'done') return undefined;
  const pods = longLeft(witness, of, believedMilliseconds, (court) => awaitedOn(court, of.plan).map(nameOf));
  return pods.length === 0 ? undefined : `these Pods are waited for: ${pods.join(', ')}`;
}
