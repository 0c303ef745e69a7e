import { textAt } from '../../../shared/dialects/fields.ts';
import { management } from '../platform/clusters.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Invariant } from './invariant.ts';
import { writtenStand } from './sight/checkpoint.ts';
import { effectOf } from './sight/effect.ts';
import { isDeleting, machineIn, titleOf } from './sight/machine.ts';
import { type Witness, witnessOf } from './sight/witness.ts';

/** A report comes in the same step. */
const stepMilliseconds = 10_000;
const requestsOfStep = 40;
/** Who has just said one refusal leaves the next one, in whatever words, to the look that is due. */
const restMilliseconds = 4_000;
const requestsOfSaying = 10;

interface Refusal {
  title: string;
  words: string;
  /** When the refused instance could begin to report it: it may stand still over the answer. */
  at: number;
}

/** A refused write is refused again until phaseout reports it. Only other faults may keep the report back. */
export const refusalsAreSaid: Invariant = {
  name: 'of a Machine that may not be written it is said why, in words of the API server',
  watch(world, scenario, violated) {
    const witness = witnessOf(world, scenario);
    const allowed = stepMilliseconds + requestsOfStep * scenario.world.latencyMilliseconds;
    /** By the UIDs of Machines. */
    const unsaid = new Map<string, Refusal>();
    const said = new Map<string, string>();
    /** By UID, whatever was refused so far, and when any of it was reported last. */
    const refusals = new Map<string, string[]>();
    const saidAt = new Map<string, number>();
    const rest = restMilliseconds + requestsOfSaying * scenario.world.latencyMilliseconds;
    let struck = '';
    /** Never where it is asked to end, which it may have to before it reports anything. */
    const canSpeakAt = (name: string): number => {
      const strand = world.instances().find((instance) => instance.name === name)?.strand;
      return strand === undefined ? Infinity : Math.max(world.now(), strand.wakesAt);
    };
    const complain = (): void => {
      for (const [uid, { title, words, at }] of unsaid) {
        if (world.now() - at <= allowed) continue;
        unsaid.delete(uid);
        violated(`${title}: nobody says ${words}`);
      }
    };
    return {
      hit(fault) {
        if (fault !== struck) unsaid.clear();
        struck = fault;
      },
      calm: () => unsaid.clear(),
      leaves(exchange) {
        complain();
        const [uid = '', text = ''] = saying(exchange, witness);
        if (text === '') return;
        said.set(uid, `${said.get(uid) ?? ''}\n${text}`);
        if (refusals.get(uid)?.some((each) => text.includes(asWritten(each)))) saidAt.set(uid, world.now());
        if (text.includes(asWritten(unsaid.get(uid)?.words ?? ''))) unsaid.delete(uid);
      },
      invented(exchange, { code, message }) {
        const refused = code === 403 || code === 422 ? machineOf(exchange, witness) : undefined;
        const [uid = '', title = ''] = refused ?? [];
        if (refused === undefined || unsaid.has(uid)) return;
        if (said.get(uid)?.includes(asWritten(message))) {
          saidAt.set(uid, world.now());
          return;
        }
        refusals.set(uid, [...(refusals.get(uid) ?? []), message]);
        if (world.now() - (saidAt.get(uid) ?? -Infinity) < rest) return;
        const at = canSpeakAt(exchange.instance);
        if (at < Infinity) unsaid.set(uid, { title, words: message, at });
      },
      after(exchange, { code }) {
        if (code < 300) unsaid.delete(machineOf(exchange, witness)?.[0] ?? '');
      },
    };
  },
};

/** The Machine that is being deleted and that somebody wants to write, by UID and title. */
function machineOf(exchange: Exchange, witness: Witness): [uid: string, title: string] | undefined {
  const effect = effectOf(exchange, witness);
  if (effect?.kind !== 'write Machine' && effect?.kind !== 'take finalizer' && effect?.kind !== 'hand over')
    return undefined;
  const { plan } = effect;
  const machine = plan && machineIn(witness.past.present, plan);
  if (plan === undefined || machine === undefined || !isDeleting(machine)) return undefined;
  // What was on its way for one that lived is no step of its deletion.
  if (effect.kind === 'write Machine' && writtenStand(exchange, machine) === undefined) return undefined;
  return [machine.metadata.uid ?? '', titleOf(plan)];
}

/** The report about a Machine, with its UID. It is a status or an Event, even one that is refused. */
function saying({ host, verb, resource, body }: Exchange, witness: Witness): string[] {
  if (host !== management) return [];
  if (verb === 'create' && resource === 'events')
    return [textAt(body, 'involvedObject', 'uid') ?? '', JSON.stringify(body)];
  if (verb !== 'patch' || !/^machines\..*\/status$/.test(resource)) return [];
  const uid = textAt(body, 'metadata', 'uid') ?? '';
  return witness.machineWithUid(uid) === undefined ? [] : [uid, JSON.stringify(body)];
}

const asWritten = (words: string): string => JSON.stringify(words).slice(1, -1);
