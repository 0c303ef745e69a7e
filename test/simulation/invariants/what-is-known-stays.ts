import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { parsed } from './sight/checkpoint.ts';
import { checkpointKey } from './sight/machine.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** Of a deletion: where it stands, and what it has come by. */
interface Known {
  uid: string | undefined;
  node: string | undefined;
  /** The phase that it is in, where nobody had tried it for long: its time begins with the first try. */
  begunLate: string | undefined;
  /** Phases that were passed over: one that is taken up after all begins then. */
  passedOver: readonly string[];
  /** When phases began, by name. */
  starts: Readonly<Record<string, string | undefined>>;
}

/** A phase that is gone back to has no time limit of its own again, and what the Machine's Node was, it is for good. */
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
  const what = changed(before, after, witness.reads.haveClocksJumped());
  return what && `${instance} writes the checkpoint of Machine ${namespace}/${name}: ${what}`;
}

/** A clock that was wrong may have written a start that is put right. */
function changed(
  before: Known | undefined,
  after: Known | undefined,
  mayStartAnew: boolean,
): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  if (before.node !== undefined && before.node !== after.node)
    return `its Node was ${before.node}, and is ${after.node ?? 'not known'} now`;
  const phase = Object.keys(after.starts).find((each) => {
    const first = before.starts[each];
    const mayBegin = each === after.begunLate || before.passedOver.includes(each);
    return first !== undefined && first !== after.starts[each] && !mayBegin;
  });
  if (phase === undefined || mayStartAnew) return undefined;
  return `${phase} began at ${before.starts[phase]}, and at ${after.starts[phase]} now`;
}

/** Undefined for what nobody can read. */
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
  const begunLate = textAt(record, 'reached') === undefined ? undefined : phase;
  return { uid: textAt(record, 'uid'), node: textAt(record, 'node'), begunLate, passedOver, starts };
}
