import { holdIn } from '../../dialects/beside/phases.ts';
import { helpText } from '../../hooks/words.ts';
import { shortHook } from '../../machine/hook-call.ts';
import { isBefore, type Phase } from '../../machine/phase.ts';
import type { PlannedHook } from '../../plan/deletion-plan.ts';
import type { Cause } from '../explanation.ts';
import { keyOwner } from '../key-owner.ts';
import { isLong, lasting } from '../lasting.ts';
import type { Seen } from '../seen.ts';
import { functionCauses } from './functions.ts';

/** Hooks that hold it now; all where it is not being deleted. */
export function hookCauses(seen: Seen): Cause[] {
  const { plan, standing } = seen;
  const here = standing?.phase;
  const isWaitedFor = (point: PlannedHook['point']): boolean =>
    plan.phases.some(({ phase, does }) => phase === point && does === 'wait');
  // A hook that was set late holds all the same; one of a later phase does not hold yet.
  const now = plan.hooks.filter(
    ({ point }) =>
      standing === undefined || (isWaitedFor(point) && here !== undefined && !isBefore(here, point)),
  );
  return [...now.map((hook) => hookCause(seen, hook)), ...functionCauses(seen), ...ownHook(seen)];
}

function hookCause({ machine }: Seen, { point, name, owner = '', ...described }: PlannedHook): Cause {
  const set = keyOwner(machine.raw, name);
  return {
    kind: 'hook',
    phase: point,
    what: `${point} hook ${shortHook(name)}${owner === '' ? '' : ` of ${owner}`}`,
    hook: name,
    owner: owner === '' ? (set?.manager ?? 'unknown') : owner,
    details: [
      ...helpText(described),
      ...silentAfterText(described),
      ...(name === shortHook(name) ? [] : [`annotation ${name}`]),
      ...(set === undefined ? [] : [`set by ${set.manager}, at ${set.by} at the latest`]),
    ],
    endsByItself: 'no',
    why: 'its owner has to take it off, and no time limit ends that',
  };
}

const endsHold: Partial<Record<Phase, string>> = {
  'pre-drain': 'phaseout has drained the Node',
  'pre-terminate': 'its functions have answered',
};

/** Beside the API's own controller our own hook holds it until we have drained it, or its functions have answered. */
function ownHook({ standing, dialect, now }: Seen): Cause[] {
  const isOurs = standing?.carriedBy === 'phaseout' && dialect.beside !== undefined;
  if (!isOurs || standing.since !== undefined) return [];
  const { phase = 'pre-drain' } = standing;
  const isLate = isLong(standing.deletedAt, now);
  return [
    {
      kind: 'carrier',
      phase,
      what: `phaseout has not begun: ${holdIn(phase, dialect)} holds it until ${endsHold[phase] ?? ''}`,
      owner: 'phaseout.dev',
      details: [],
      endsByItself: isLate ? 'unknown' : 'yes',
      why: isLate
        ? 'phaseout should have begun long ago: does it run? Its hook watchdog takes the hook off after half an hour'
        : 'phaseout begins as soon as it hears of it',
    },
  ];
}

const silentAfterText = ({
  silentAfterSeconds: seconds,
}: Pick<PlannedHook, 'silentAfterSeconds'>): string[] =>
  seconds === undefined
    ? []
    : [`its owner counts as silent after ${lasting(seconds * 1_000)} without an Event on the Machine`];
