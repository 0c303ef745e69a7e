import type { Dialect } from '../dialects/dialect.ts';
import { hookOwners } from '../dialects/hook-owners.ts';
import type { Machine } from '../machine/machine.ts';
import type { Fact } from '../machine/messages.ts';
import { reasonsOf } from '../machine/phase.ts';
import { isIn } from './holds.ts';
import { type OnNode, podOf, type Refused } from './on-node.ts';
import type { Watched } from './watched.ts';

interface Waiting {
  machine: Machine;
  dialect: Dialect;
  watched: Watched;
  seq: number;
  onNode: OnNode | undefined;
  holds: string;
  /** What was told before: a Pod that is in it was told. */
  toldHolds: string;
}

/** The facts of a wait: the hooks, or what blocks, and each Pod that would be refused now. */
export function waitFacts({ machine, dialect, watched, seq, onNode, holds, toldHolds }: Waiting): Fact[] {
  const { phase, waitsFor } = watched;
  const about = { machine: machine.ref, phase, seq };
  const reason = waitsFor.reason === 'Paused' ? 'Paused' : reasonsOf(phase)[0];
  if (phase === 'pre-drain' || phase === 'pre-terminate') {
    const hooks = dialect.hooks(machine, phase);
    const owners = hookOwners(hooks, machine, dialect, phase);
    if (hooks.length > 0) return [{ ...about, kind: 'hook-waiting', point: phase, hooks, owners }];
  }
  const lines = toldHolds.split('\n');
  const refused = (onNode?.refused ?? []).filter((each) => !isIn(lines, each));
  return [
    { ...about, kind: 'blocked', reason, message: holds },
    ...refused.flatMap((each) => refusalFact(about, each)),
  ];
}

/** A budget whose cause is unknown was never computed: it has refused nothing yet. */
function refusalFact(about: Pick<Fact, 'machine' | 'phase' | 'seq'>, refused: Refused): Fact[] {
  const { cause, message: text, budget, explanation } = refused;
  if (cause === 'Unknown') return [];
  return [
    {
      ...about,
      kind: 'pod-refused',
      pod: podOf(refused),
      cause,
      text,
      ...(budget !== undefined && { budget: budget.slice(budget.indexOf('/') + 1) }),
      ...(explanation !== undefined && { explanation }),
    },
  ];
}
