import type { Outside } from '../../terminal/outside.ts';
import type { Journey } from './progress.ts';
import type { Arrangement, Reporter } from './reporter.ts';
import { total } from './timeline.ts';

/** One JSON object per line and nothing else. */
export function jsonReporter({ stdout, stderr, clock }: Outside): Reporter {
  const print = (event: object): void => void stdout.write(`${JSON.stringify(event)}\n`);
  let arranged: Arrangement | undefined;
  return {
    begin(arrangement) {
      arranged = arrangement;
      const { subject, url, notes, page, startedAt, others } = arrangement;
      const what = { subject, url, notes, ...(page !== undefined && { page }), machines: others() };
      print({ event: 'ready', time: timestamp(startedAt), ...what });
    },
    serving: ({ kubeconfig, store, isReplacement }) =>
      print({
        event: 'serving',
        time: timestamp(clock.now()),
        kubeconfig,
        ...(isReplacement && { replaced: true }),
        store,
      }),
    changed: ({ time, event, ...change }) => print({ event, time: timestamp(time), ...change }),
    other: (other) => print({ event: 'other', time: timestamp(clock.now()), ...other }),
    gone: (journey) =>
      print({
        event: 'done',
        time: timestamp(journey.goneAt ?? clock.now()),
        machine: journey.machine,
        seconds: lasted(journey),
      }),
    end() {
      if (arranged === undefined) return;
      const requests = arranged.requests();
      const machines = arranged.progress.journeys.map(summary);
      print({
        event: 'timeline',
        time: timestamp(clock.now()),
        machines,
        requests: total(requests),
        byResource: requests,
      });
    },
    compared(machines) {
      if (machines.length > 0)
        print({ event: 'peer-alone', time: timestamp(clock.now()), simulated: true, machines });
    },
    kept: () => undefined,
    complain: (text) => void stderr.write(text),
    close: () => undefined,
  };
}

const timestamp = (time: number): string => new Date(time).toISOString();

const seconds = (milliseconds: number): number => Math.round(milliseconds) / 1_000;

const lasted = ({ startedAt, goneAt }: Journey): number | undefined =>
  goneAt === undefined ? undefined : seconds(goneAt - startedAt);

function summary(journey: Journey): object {
  const { machine, startedAt, goneAt, stays, evicted, refused, wait } = journey;
  const phases = stays.map(({ phase, from, to, as }) => ({
    phase,
    as,
    startSeconds: seconds(from - startedAt),
    ...(to !== undefined && { seconds: seconds(to - from) }),
  }));
  const left = goneAt === undefined ? { waits: wait } : { seconds: lasted(journey) };
  return { machine, gone: goneAt !== undefined, ...left, phases, evicted, refused };
}
