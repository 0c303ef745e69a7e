import type { Instant } from '../../../shared/time/clock.ts';
import type { Outside } from '../../terminal/outside.ts';
import { paintFor } from '../../terminal/paint.ts';
import { duration, messageLines, printable } from '../../terminal/words.ts';
import type { RunOptions } from '../options.ts';
import { comparisonLines } from './beside.ts';
import type { Change } from './change.ts';
import { type Other, othersLine } from './others.ts';
import type { Journey } from './progress.ts';
import { type Arrangement, keptLines, type Reporter } from './reporter.ts';
import { outcomeLine, requestLine, timeline } from './timeline.ts';

/** One line for each change: for pipes, logs and files. */
export function lineReporter(outside: Outside, options: Pick<RunOptions, 'timeline'>): Reporter {
  const { stdout, stderr, clock } = outside;
  const paint = paintFor(stdout, outside);
  const print = (line: string): void => void stdout.write(`${line}\n`);
  let arranged: Arrangement | undefined;
  const at = (time: Instant, what: string): void =>
    print(`+${duration(time - (arranged?.startedAt ?? time))} ${what}`);
  const ending = (journey: Journey): string[] =>
    options.timeline
      ? ['', ...timeline(journey, clock.now(), paint)]
      : [outcomeLine(journey, clock.now(), paint)];
  return {
    begin(arrangement) {
      arranged = arrangement;
      print(`phaseout: ${arrangement.subject} at ${arrangement.url}`);
      for (const note of arrangement.notes) print(`  ${printable(note)}`);
      for (const line of othersLine(arrangement.others())) print(`  ${line.replace('others', 'Machines')}`);
      if (arrangement.page !== undefined) print(`  page: ${arrangement.page}`);
    },
    serving({ lines }) {
      for (const line of lines) print(line);
    },
    changed: (change) => at(change.time, describe(change)),
    other: (other) => at(clock.now(), describeOther(other)),
    gone(journey) {
      for (const line of ending(journey)) print(line);
    },
    end(left) {
      for (const line of left.flatMap(ending)) print(line);
      if (arranged !== undefined) print(`\n${requestLine(arranged.requests())}`);
    },
    compared(comparisons) {
      for (const line of comparisonLines(comparisons)) print(line);
    },
    kept(page) {
      for (const line of keptLines(page)) print(line);
    },
    complain: (text) => void stderr.write(text),
    close: () => undefined,
  };
}

/** `machine=fleet/worker-1 phase=drain evicted=shop/web-1`. */
function describe(change: Change): string {
  return [`machine=${change.machine}`, `phase=${change.phase}`, ...fields(change)].join(' ');
}

/** `machine=fleet/worker-8 is=Provisioned`. */
function describeOther({ machine, phase, node }: Other): string {
  const what = [
    ...(phase === undefined ? [] : [`is=${phase}`]),
    ...(node === undefined ? [] : [`node=${node}`]),
  ];
  return [`machine=${machine}`, ...(what.length === 0 ? ['is=new'] : what)].join(' ');
}

function fields(change: Change): string[] {
  switch (change.event) {
    case 'deleting':
      return ['began'];
    case 'phase':
      return [`after=${change.from}`, `as=${change.as}`, `why=${quoted(change.message)}`];
    case 'waits':
      return [`waits=${change.reason}`, `for=${quoted(messageLines(change.message).join('; '))}`];
    case 'evicted':
      return [`evicted=${change.pod}`];
    case 'refused':
      return [
        `refused=${change.pod}`,
        `cause=${change.cause}`,
        `why=${quoted(change.message)}`,
        ...(change.explanation === undefined ? [] : [`explanation=${quoted(change.explanation)}`]),
      ];
    case 'unblocked':
      return [`unblocked=${change.pod}`, `by=${change.action}`, `why=${quoted(change.message)}`];
    case 'failed':
      return [`failed=${change.reason}`, `why=${quoted(change.message)}`];
    case 'released':
      return ['finalizer=removed'];
    case 'hook':
      return [`hook=${change.hook}`, `as=${change.as}`, `why=${quoted(change.message)}`];
    default:
      return change satisfies never;
  }
}

const quoted = (text: string): string => JSON.stringify(text);
