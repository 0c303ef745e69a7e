import type { CloudEvent } from '../../../../../events/envelope.ts';
import { Unmet } from '../../../../conformance/outcome.ts';
import { answered, type Bench, type Check } from '../check.ts';

/** Without this nothing else is worth asking. */
export const first: Check = {
  name: 'a call is answered',
  async run(bench) {
    const { answer } = await answered(bench, bench.turn.event(1));
    bench.answers.push(answer);
  },
};

const atOnce = 3;

/** What comes of calls, in whatever order and form they come. */
export const answers: readonly Check[] = [
  {
    name: 'each answer has the token of its own call',
    async run(bench) {
      const turns = Array.from({ length: atOnce }, () => bench.turns.begin());
      await Promise.all(turns.map((turn) => answered(bench, turn.event(1))));
    },
  },
  {
    name: 'a call that comes twice is answered twice',
    async run(bench) {
      const turn = bench.turns.begin();
      await answered(bench, turn.event(1));
      await answered(bench, turn.event(1));
    },
  },
  {
    name: 'a call that comes several times at once is answered each time',
    async run(bench) {
      const turn = bench.turns.begin();
      await Promise.all(Array.from({ length: atOnce }, () => answered(bench, turn.event(1))));
    },
  },
  {
    name: 'a turn that it first hears of in the seventh call is answered: it may have been restarted',
    async run(bench) {
      await answered(bench, bench.turns.begin().event(7, { lastMessage: 'half of it is moved' }));
    },
  },
  {
    name: 'a Machine without a Node, providerID, Cluster and labels is answered',
    run: async (bench) => void (await answered(bench, withoutKnown(bench))),
  },
  {
    name: 'attributes and fields that it does not know are ignored',
    async run(bench) {
      const event = bench.turns.begin().event(1);
      const data = typeof event.data === 'object' ? event.data : {};
      await answered(bench, { ...event, later: 'more', data: { ...data, later: { more: true } } });
    },
  },
  ...otherEvents().map(([what, change]) => ({
    name: `${what} is not answered with Done`,
    run: (bench: Bench) => mustNotPass(bench, change(bench.turns.begin().event(1))),
  })),
];

/** Whatever is known of a Machine may be unknown. */
function withoutKnown({ turns }: Bench): CloudEvent {
  const turn = turns.begin();
  const { providerID: _, ...machine } = turn.call.machine;
  const whole = turn.event(1, { machine: { ...machine, labels: {} } });
  const { node: __, cluster: ___, ...data } = Object(whole.data);
  return { ...whole, data };
}

type Change = (call: CloudEvent) => CloudEvent;

function otherEvents(): [what: string, change: Change][] {
  return [
    ['a call without a Machine', (call) => ({ ...call, data: {} })],
    ['a call without data', (call) => ({ ...call, data: undefined })],
    ['an event of another type', (call) => ({ ...call, type: 'dev.phaseout.deletion.started.v1' })],
  ];
}

/** Anything else is fine: such an event says nothing of a Machine whose work could be done. */
async function mustNotPass({ client, notCalls }: Bench, event: CloudEvent): Promise<void> {
  notCalls.push(String(event['answerto']));
  const { reading, shown } = await client.reply(event);
  if (reading.kind === 'answer' && reading.answer.state === 'Done')
    throw new Unmet('anything but Done: 400, for example', shown);
}
