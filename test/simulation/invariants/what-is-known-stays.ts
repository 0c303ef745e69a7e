import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { isBeside } from '../scenario/beside.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { parsed } from './sight/checkpoint.ts';
import { checkpointKey } from './sight/machine.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** Of a deletion: where it stands, and what it has come by. */
interface Known {
  uid: string | undefined;
  node: string | undefined;
  phase: string;
  /** Whether the time limit of that phase has started, by the checkpoint. */
  hasStarted: boolean;
  /** Phases that were passed over: one that is taken up after all begins then. */
  passedOver: readonly string[];
  /** When phases began, by name. */
  starts: Readonly<Record<string, string | undefined>>;
}

/** A repeated phase gets no new time limit. The Node that a Machine had stays its Node for good. */
export const whatIsKnownStays: Invariant = {
  name: 'a phase keeps its first start, and a Machine the Node that it was found to have',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    let wrong: string | undefined;
    return {
      before(exchange) {
        wrong = wrongIn(exchange, witness);
      },
      after(_exchange, { code }) {
        if (wrong !== undefined && code < 300) violated(wrong);
        wrong = undefined;
      },
    };
  },
};

function wrongIn(exchange: Exchange, witness: Witness): string | undefined {
  const { instance, host, verb, resource, namespace, name, body } = exchange;
  const text = textAt(body, 'metadata', 'annotations', checkpointKey);
  if (verb !== 'patch' || text === undefined || !instance.startsWith('instance')) return undefined;
  const metadata = witness.past.present.get(host, resource, namespace, name)?.metadata;
  const [before, after] = [knownFrom(metadata?.annotations?.[checkpointKey]), knownFrom(text)];
  const ofIt = [before, after].every((known) => known !== undefined && known.uid === metadata?.uid);
  if (!ofIt || witness.isTampered(metadata?.uid ?? '')) return undefined;
  const plan = witness.machineNamed(resource, namespace, name);
  // Beside Cluster API's own controller those are not our starts.
  const told =
    plan !== undefined && isBeside(witness.world, plan)
      ? {}
      : recordAt(witness.past.present.get(host, resource, namespace, name), 'status', 'deletion');
  const what = changed({ before, after, told }, witness.reads.haveClocksJumped());
  return what && `${instance} writes the checkpoint of Machine ${namespace}/${name}: ${what}`;
}

interface Change {
  before: Known | undefined;
  after: Known | undefined;
  /** The start times in the Machine's status. */
  told: Record<string, unknown>;
}

const fieldOf: Readonly<Record<string, string>> = {
  drain: 'nodeDrainStartTime',
  'volume-detach': 'waitForNodeVolumeDetachStartTime',
};

/** Whether the status tells of no other start. No status tells when the deletion of the Node started. */
function isTold(told: Change['told'], phase: string, start: string | undefined): boolean {
  const time = textAt(told, fieldOf[phase] ?? '');
  return time === undefined || Math.abs(Date.parse(time) - Date.parse(start ?? '')) < 1_000;
}

/** A clock that was wrong may have written a start that is put right. */
function changed({ before, after, told }: Change, mayStartAnew: boolean): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  if (before.node !== undefined && before.node !== after.node)
    return `its Node was ${before.node}, and is ${after.node ?? 'not known'} now`;
  const phase = Object.keys(after.starts).find((each) => {
    const first = before.starts[each];
    const isFirstAttempt =
      each === before.phase && !before.hasStarted && isTold(told, each, after.starts[each]);
    const isStarted = each === before.phase && each === after.phase && !before.hasStarted && after.hasStarted;
    const mayBegin = isFirstAttempt || isStarted || before.passedOver.includes(each);
    return first !== undefined && first !== after.starts[each] && !mayBegin;
  });
  if (phase === undefined || mayStartAnew) return undefined;
  return `${phase} began at ${before.starts[phase]}, and at ${after.starts[phase]} now`;
}

/** Undefined for an unreadable checkpoint. */
function knownFrom(text: string | undefined): Known | undefined {
  const record = parsed(text ?? '');
  const phase = textAt(record, 'phase');
  if (phase === undefined) return undefined;
  const passed = Object.entries(recordAt(record, 'passed')).map(([each, how]) => [
    each,
    textAt(how, 'since'),
  ]);
  const passedOver = Object.entries(recordAt(record, 'passed'))
    .filter(([, how]) => !['done', 'timed-out'].includes(textAt(how, 'as') ?? ''))
    .map(([each]) => each);
  const starts = { ...Object.fromEntries(passed), [phase]: textAt(record, 'since') };
  const hasStarted = textAt(record, 'reached') !== undefined;
  return { uid: textAt(record, 'uid'), node: textAt(record, 'node'), phase, hasStarted, passedOver, starts };
}
