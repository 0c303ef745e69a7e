import { whyNotOwn } from '../assess/not-own-node.ts';
import type { WatchedReport } from '../cache/machine-notes.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Machine } from '../machine/machine.ts';
import type { Fact } from '../machine/messages.ts';
import { warning } from '../machine/report.ts';
import type { Environment } from '../runtime/environment.ts';
import type { HistoryEntry } from '../store/port.ts';
import { writeEvents } from '../write/events.ts';
import { holdsIn } from './holds.ts';
import { type OnNode, whatIsOnNode } from './on-node.ts';
import { type Before, beginningOf, remember, seqOf } from './reported.ts';
import { waitFacts } from './wait-facts.ts';
import { exitOf, type Watched } from './watched.ts';

interface Look {
  machine: Machine;
  dialect: Dialect;
  watched: Watched;
  before: Before;
}

interface Reported {
  told: WatchedReport;
  facts: Fact[];
}

type Entry = Pick<HistoryEntry, 'what' | 'reason' | 'message'>;

/**
 * Records what is new since the last look: in the history, in metrics and by facts. Events are written where they are asked
 * for.
 */
export async function reportWatched(env: Environment, look: Look): Promise<Reported> {
  const { machine, watched, dialect } = look;
  const { phase, waitsFor } = watched;
  const seq = seqOf(machine);
  const start = startIn(env, look);
  const onNode = isDrained(look) ? await onNodeOf(env, look) : undefined;
  const notOwn = onNode === undefined ? await notOwnOf(env, look) : onNode.notOwn;
  const holds = [...(notOwn ?? []), ...holdsIn(watched, onNode)].join('\n');
  const isNew = holds !== start.told.holds;
  const wait: Entry = { what: 'waited', reason: waitsFor.reason, message: holds };
  await remember(env, { machine, seq }, watched, [...start.sayings, ...(isNew ? [wait] : [])]);
  const isHeld = notOwn !== undefined || watched.state === 'held' || (onNode?.refused.length ?? 0) > 0;
  const outcome = isHeld ? 'held-up' : 'waiting';
  env.metrics.count('waits', { machine_api: dialect.name, phase, reason: waitsFor.reason, outcome });
  const facts = isNew ? waitFacts({ ...look, seq, onNode, holds, toldHolds: start.told.holds }) : [];
  if (isNew) env.log.info('Watched deletion waits', { phase, reason: waitsFor.reason, for: holds });
  if (isNew && isHeld && env.settings.observeEvents)
    await writeEvents(env, { machine, checkpoint: { seq } }, [warning('DeletionHeld', holds)]);
  return { told: { ...start.told, holds }, facts: [...start.facts(seq), ...facts] };
}

interface Start {
  told: WatchedReport;
  sayings: Entry[];
  facts: (seq: number) => Fact[];
}

/** That the deletion has begun, or has come to another phase. */
function startIn(env: Environment, look: Look): Start {
  const { machine, watched, dialect, before } = look;
  const { phase, deletedAt, waitsFor } = watched;
  const now = env.clock.now();
  const api = { machine_api: dialect.name };
  const about = { machine: machine.ref, phase };
  const here: WatchedReport = { phase, since: now, holds: '' };
  if (before === 'nothing') {
    env.metrics.count('deletionsStarted', api);
    env.log.info('Deletion is watched', { phase });
    return {
      told: { ...here, since: Math.min(now, Date.parse(deletedAt)) },
      sayings: [
        beginningOf(watched),
        ...(dialect.phases[0] === phase
          ? []
          : [{ what: 'advanced', reason: 'done', message: waitsFor.message } as const]),
      ],
      facts: (seq) => beginning(look, seq),
    };
  }
  if (before.phase === phase) return { told: before, sayings: [], facts: () => [] };
  const as = exitOf(before.phase, look, now);
  env.metrics.count('phasesPassed', { ...api, phase: before.phase, outcome: as });
  env.metrics.observe('phaseSeconds', { ...api, phase: before.phase }, (now - before.since) / 1_000);
  env.log.info('Watched deletion goes on', { phase, after: before.phase, as });
  const { message } = waitsFor;
  return {
    told: here,
    sayings: [{ what: 'advanced', reason: as, message }],
    facts: (seq) => [{ ...about, kind: 'advanced', seq, from: before.phase, as, message, isFollowed: true }],
  };
}

/** All instances tell the same beginning. A deletion may have come further before it was looked at. */
function beginning({ machine, dialect, watched: { phase, waitsFor } }: Look, seq: number): Fact[] {
  const [first = phase] = dialect.phases;
  const { message } = waitsFor;
  const about = { machine: machine.ref, seq };
  const began: Fact = { ...about, phase: first, kind: 'started' };
  if (first === phase) return [began];
  return [began, { ...about, phase, kind: 'advanced', from: first, as: 'done', message, isFollowed: true }];
}

/** A paused Machine is as it is, and so is one that is not even looked at. */
const isDrained = ({ watched: { phase, waitsFor } }: Look): boolean =>
  phase === 'drain' && !['Paused', 'FailedValidate'].includes(waitsFor.reason);

const onNodeOf = (env: Environment, look: Look): Promise<OnNode> => whatIsOnNode(env, subjectOf(look));

/** Where nothing is drained only the Node itself is read. */
async function notOwnOf(env: Environment, look: Look): Promise<[string] | undefined> {
  if (!look.dialect.isDrainExcluded(look.machine)) return undefined;
  const why = await whyNotOwn(env, subjectOf(look));
  return why === undefined ? undefined : [why];
}

function subjectOf({ machine, dialect, watched }: Look) {
  const { phase, deletedAt, since = deletedAt } = watched;
  const checkpoint = { v: 1, uid: machine.ref.uid, seq: 0, phase, since, passed: {} } as const;
  return { machine, dialect, checkpoint, nodeDeletion: { allowed: true } } as const;
}
