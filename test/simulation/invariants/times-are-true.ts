import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isClusterApi } from '../../stories/stage/apis.ts';
import {
  conditionIn,
  conditionsOf,
  isOfItself,
  olderConditionsOf,
} from '../../stories/stage/told-machine.ts';
import type { Invariant } from './invariant.ts';
import { effectOf, namesAnother } from './sight/effect.ts';
import type { Effect } from './sight/seen-effect.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** Whether something may have come to be so at this time, by whatever clock it was told. */
type IsPresent = (time: string | undefined) => boolean;

interface Told {
  before: KubeObject;
  after: KubeObject;
  isPresent: IsPresent;
  /** Whether a start that some clock has put into the future may be put right. */
  mayStartAnew: boolean;
}

/** From the look to the write of what it led to. */
const stepMilliseconds = 60_000;
/** Times of Kubernetes have whole seconds. */
const roundingMilliseconds = 1_000;

/** People and controllers of fleets rely on these times: the start of a drain, the last change of readiness. */
export const timesAreTrue: Invariant = {
  name: 'the times in a status tell since when it is so, and starts stay what they were',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const { present } = witness.past;
    let asked: { effect: Effect; before: KubeObject } | undefined;
    return {
      before(exchange) {
        const effect = effectOf(exchange, witness);
        const { kind, object: before } = effect ?? {};
        asked = undefined;
        if (effect === undefined || before === undefined || kind !== 'write status') return;
        if (!namesAnother(effect)) asked = { effect, before };
      },
      after({ host, resource, namespace, name }) {
        if (asked === undefined) return;
        const { effect, before } = asked;
        const after = present.get(host, resource.split('/')[0] ?? '', namespace || undefined, name);
        asked = undefined;
        if (after === undefined) return;
        const mayStartAnew = witness.reads.haveClocksJumped();
        const why = wrongWith({ before, after, isPresent: presentTo(effect, witness), mayStartAnew });
        if (why !== undefined) violated(`${effect.label}: ${why}`);
      },
    };
  },
};

function presentTo({ actor: { instance } }: Effect, { reads }: Witness): IsPresent {
  const longest = stepMilliseconds + reads.stillnessOf(instance);
  return (time) => {
    const at = Date.parse(time ?? '');
    return reads
      .presentsOf(instance)
      .some((now) => at >= now - longest - roundingMilliseconds && at <= now + roundingMilliseconds);
  };
}

const wrongWith = (told: Told): string | undefined =>
  wrongCondition(told, isClusterApi(told.before) ? newer : older) ??
  (isClusterApi(told.before) ? wrongCondition(told, olderOfClusterApi) : undefined) ??
  wrongStart(told) ??
  wrongUpdate(told) ??
  wrongGeneration(told);

/** What two conditions have in common where the time does not move, and where they are. */
interface Rule {
  listOf: (machine: KubeObject) => unknown[];
  kept: readonly string[];
}

const newer: Rule = { listOf: conditionsOf, kept: ['status'] };
const older: Rule = { listOf: conditionsOf, kept: ['status', 'reason', 'severity', 'message'] };
const olderOfClusterApi: Rule = { ...older, listOf: olderConditionsOf };

/** Copied from the Node and from objects that the Machine refers to, with the time that they give. */
const copied = new Set(['InfrastructureReady', 'BootstrapConfigReady', 'BootstrapReady', 'NodeReady']);

function wrongCondition({ before, after, isPresent }: Told, { listOf, kept }: Rule): string | undefined {
  for (const condition of listOf(after)) {
    const type = textAt(condition, 'type') ?? '';
    const first = conditionIn(listOf(before), type);
    const [was, is] = [first, condition].map((each) => textAt(each, 'lastTransitionTime'));
    const isKept =
      first !== undefined && kept.every((field) => textAt(first, field) === textAt(condition, field));
    if (isKept && (was === is || isOfItself(before, was))) {
      if (was !== is) return `its condition ${type} says what it said at ${was}, and that since ${is}`;
    } else if (!copied.has(type) && !isPresent(is) && !isSaidFromTheStart(after, type, is))
      return `its condition ${type} is new, and says so since ${is}`;
  }
  return undefined;
}

/**
 * A clock that is behind dates Drained to the Machine's creation. An earlier time would belong to a Machine before it.
 */
const isSaidFromTheStart = ({ metadata }: KubeObject, type: string, time: string | undefined): boolean =>
  type === 'Drained' && time === metadata.creationTimestamp;

function wrongStart({ before, after, mayStartAnew }: Told): string | undefined {
  if (mayStartAnew) return undefined;
  const [was, is] = [before, after].map((each) => recordAt(each, 'status', 'deletion'));
  const moved = Object.keys(was ?? {}).find(
    (field) => was?.[field] !== is?.[field] && isOfItself(before, String(was?.[field])),
  );
  if (moved !== undefined)
    return `its ${moved} was ${String(was?.[moved])}, and is ${String(is?.[moved])} now`;
  const asked = Date.parse(after.metadata.deletionTimestamp ?? '');
  const early = Object.entries(is ?? {}).find(
    ([field, time]) => was?.[field] !== time && Date.parse(String(time)) < asked,
  );
  if (early !== undefined) return `its ${early.join(' of ')} is before its deletion was asked for`;
  return undefined;
}

/** An update within the same second as the last one has its time. */
function wrongUpdate({ before, after, isPresent, mayStartAnew }: Told): string | undefined {
  if (mayStartAnew) return undefined;
  const [phaseWas, phase, updatedWas, updated] = ['phase', 'lastUpdated'].flatMap((field) =>
    [before, after].map((each) => textAt(each, 'status', field)),
  );
  if (updated !== updatedWas && !isPresent(updated)) return `it was updated now, and says at ${updated}`;
  return phase !== phaseWas && !isPresent(updated)
    ? `its phase is new, and it was updated at ${updated}`
    : undefined;
}

/** A generation counts as observed when the look at it has gone well. One made again may have an earlier one's status. */
function wrongGeneration({ before, after }: Told): string | undefined {
  const [was, is] = [before, after].map((each) =>
    Number(recordAt(each, 'status')['observedGeneration'] ?? 0),
  );
  const now = after.metadata.generation ?? 0;
  if (was === undefined || is === undefined || was === is) return undefined;
  if ((is < was && was <= now) || is > now) return `generation ${is} of ${now} is observed after ${was}`;
  const error = textAt(conditionIn(conditionsOf(after), 'Deleting'), 'reason') === 'InternalError';
  return error ? `generation ${is} is observed in a look that has failed` : undefined;
}
