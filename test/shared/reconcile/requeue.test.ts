import { expect, test } from 'vitest';
import type { Conclusion } from '../../../shared/phase/decision.ts';
import { definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const report = { reason: 'DrainingNode', message: 'said' } as const;
const wait: Conclusion = { kind: 'wait', until: [], report, requeueAfterSeconds: 20 };

/** A phase that waits, and reports it in other words from then on. */
const waitingPhase = (otherwiseFrom = Number.POSITIVE_INFINITY) =>
  definePhase<undefined>({
    name: 'drain',
    observe: async () => undefined,
    decide: (_subject, _seen, now) =>
      now < otherwiseFrom ? wait : { ...wait, report: { ...report, message: 'said otherwise' } },
    onUnavailable: () => wait,
  });

type Instance = 'we' | 'they';

interface Waiting {
  /** Who looks, at which second. */
  looks: readonly (readonly [Instance, number])[];
  /** When there is something else to report. */
  otherwiseFrom?: number;
  /** When the drain restarts, as after new Pods have come to the Node. */
  anewAt?: number;
  prepare?: (world: World) => void;
}

const checkpointOf = (seq: number) => atCheckpoint(aCheckpoint({ seq, phase: 'drain' }));

/** Who keeps wake-ups after all these looks. */
async function keptBy({ looks, otherwiseFrom, anewAt, prepare }: Waiting): Promise<Instance[]> {
  const world = aWorld(aRawMachine({ annotations: checkpointOf(1) }));
  prepare?.(world);
  const environments = { we: world.env, they: world.another() };
  const phase = waitingPhase(otherwiseFrom === undefined ? undefined : after(otherwiseFrom));
  const keeping = new Set<Instance>();
  for (const [who, second] of looks) {
    world.time.now = after(second);
    world.time.passed = second * 1_000;
    const seq = anewAt !== undefined && second >= anewAt ? 3 : 1;
    if (seq === 3) world.management.change(machinePath, { metadata: { annotations: checkpointOf(3) } });
    const wakeUps = { keep: () => void keeping.add(who), drop: () => void keeping.delete(who) };
    await reconcilePhase({ ...environments[who], wakeUps }, phase, aCommand({ seq }));
  }
  return [...keeping];
}

test.each<[string, Waiting, Instance[]]>([
  [
    'one instance goes on watching',
    {
      looks: [
        ['we', 0],
        ['we', 7],
        ['we', 14],
        ['we', 21],
        ['we', 28],
      ],
    },
    ['we'],
  ],
  [
    'another that hears of the Machine watches as well',
    {
      looks: [
        ['we', 0],
        ['they', 7],
      ],
    },
    ['we', 'they'],
  ],
  [
    'who finds that another has taken the look it had set leaves it to that one',
    {
      looks: [
        ['we', 0],
        ['they', 21],
        ['we', 22],
      ],
    },
    ['they'],
  ],
  [
    'who has set the look that comes next goes on, whoever else has looked',
    {
      looks: [
        ['we', 0],
        ['they', 7],
        ['we', 14],
      ],
    },
    ['they', 'we'],
  ],
  [
    'so does who never had a look of its own, once the time has come that it would have set',
    {
      looks: [
        ['we', 0],
        ['they', 7],
        ['we', 21],
        ['they', 27],
      ],
    },
    ['we'],
  ],
  [
    'who never had a look of its own goes on until that time',
    {
      looks: [
        ['we', 0],
        ['they', 7],
        ['we', 21],
        ['they', 26],
      ],
    },
    ['they', 'we'],
  ],
  [
    'what would have been set in an earlier wait says nothing of this one',
    {
      looks: [
        ['we', 0],
        ['they', 7],
        ['we', 26],
        ['they', 28],
      ],
      anewAt: 25,
    },
    ['they', 'we'],
  ],
  [
    'where the other one is gone, who takes the look that it had set watches',
    {
      looks: [
        ['we', 0],
        ['they', 21],
        ['we', 22],
        ['we', 42],
      ],
    },
    ['they', 'we'],
  ],
  [
    'who has something else to say watches for the end of that',
    {
      looks: [
        ['we', 0],
        ['they', 21],
        ['we', 23],
      ],
      otherwiseFrom: 22,
    },
    ['they', 'we'],
  ],
  [
    'what was set in an earlier wait says nothing of this one',
    {
      looks: [
        ['we', 0],
        ['they', 21],
        ['we', 23],
      ],
      anewAt: 22,
    },
    ['they', 'we'],
  ],
  [
    'with the store down everybody watches',
    {
      looks: [
        ['we', 0],
        ['they', 21],
        ['we', 22],
      ],
      prepare: ({ env }) => {
        env.store.claim = async () => ({ kind: 'taken', before: { ours: [], news: [] } });
        env.store.release = async () => ({ kind: 'released', news: [] });
      },
    },
    ['they', 'we'],
  ],
])('%s', async (_, waiting, expected) => {
  expect((await keptBy(waiting)).toSorted()).toEqual(expected.toSorted());
});
