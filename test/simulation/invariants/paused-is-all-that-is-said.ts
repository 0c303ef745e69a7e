import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isClusterApi } from '../../stories/stage/apis.ts';
import { conditionsOf } from '../../stories/stage/told-machine.ts';
import type { Invariant } from './invariant.ts';
import { wasSoAround } from './sight/apart.ts';
import { whyHeldBack } from './sight/held-back.ts';
import { judging } from './sight/judging.ts';
import { isDeleting, machineIn } from './sight/machine.ts';
import type { Effect } from './sight/seen-effect.ts';
import { witnessOf } from './sight/witness.ts';

/** Where the newer conditions are, in one version or the other. */
const places = ['conditions', 'v1beta2'];

/**
 * Once it is said: its own controller writes nothing else of such a Machine. What cannot be read makes no difference, and
 * least of all is it said not to be paused.
 */
export const pausedIsAllThatIsSaid: Invariant = {
  name: 'nothing is said of a paused Machine of Cluster API but that it is paused',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    return judging(
      witness,
      ['write status'],
      (effect) => {
        const { plan, machine, object, actor } = effect;
        if (plan === undefined || machine === undefined || object === undefined) return undefined;
        if (!isClusterApi(machine) || !isDeleting(machine) || !isSaidToBe(conditionsOf(object)))
          return undefined;
        const isFree = wasSoAround(witness, { actor, plan, machine }, (view) => {
          const seen = machineIn(view, plan);
          return seen !== undefined && whyHeldBack(view, seen) === undefined;
        });
        return isFree ? undefined : saidBeside(effect, object);
      },
      violated,
    );
  },
};

function saidBeside({ exchange: { body } }: Effect, before: KubeObject): string | undefined {
  const status = recordAt(body, 'status');
  const field = Object.keys(status).find((each) => !places.includes(each));
  if (field !== undefined) return `it is paused, and its ${field} is written`;
  const said = conditionsOf({ ...before, status });
  const isAsBefore = (condition: unknown): boolean =>
    conditionsOf(before).some((each) => isDeepStrictEqual(each, condition));
  const changed = said.find((condition) => !isAsBefore(condition) && !isSaidToBe([condition]));
  if (changed === undefined) return undefined;
  return `it is paused, and is said to be ${textAt(changed, 'type')}=${textAt(changed, 'status')}`;
}

const isSaidToBe = (conditions: unknown[]): boolean =>
  conditions.some((each) => textAt(each, 'type') === 'Paused' && textAt(each, 'status') === 'True');
