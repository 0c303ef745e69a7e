import type { Outside } from '../../terminal/outside.ts';
import { counted, printable } from '../../terminal/words.ts';
import type { Difference } from './differences.ts';

/** What a command does to an object, or would do in a dry run. Only `release` releases. */
export type Change = 'created' | 'changed' | 'replaced' | 'removed' | 'unchanged' | 'released';

export type Happening =
  /** A finding before any change. */
  | { event: 'found'; text: string }
  | { event: 'warning'; text: string }
  | {
      event: 'object';
      change: Change;
      object: string;
      /** What differs, where it was changed. */
      fields?: Difference[];
      /** Nothing was stored. */
      dryRun?: boolean;
      /** In a dry run: the cluster could not be asked about it yet. */
      isUntried?: boolean;
    }
  | { event: 'waiting'; object: string; why: string }
  | { event: 'ready'; object: string }
  | { event: 'done'; text: string };

/** Receives each event of a command as it happens. */
export type Tell = (happening: Happening) => void;

export function reporterFor({ json }: { json: boolean }, outside: Outside): Tell {
  return json ? jsonTeller(outside) : textTeller(outside);
}

/** One JSON object per line and nothing else. */
const jsonTeller =
  ({ stdout, clock }: Outside): Tell =>
  ({ event, ...rest }) =>
    void stdout.write(`${JSON.stringify({ event, time: new Date(clock.now()).toISOString(), ...rest })}\n`);

const textTeller = ({ stdout, stderr }: Outside): Tell => {
  let unchanged = 0;
  const waitedFor = new Set<string>();
  const print = (line: string): void => void stdout.write(`${line}\n`);
  const countUnchanged = (): void => {
    if (unchanged > 0) print(`${'unchanged'.padEnd(wide)} ${counted(unchanged, 'object')}`);
    unchanged = 0;
  };
  return (happening) => {
    if (happening.event === 'warning') {
      stderr.write(`phaseout: warning: ${happening.text}\n`);
    } else if (happening.event === 'object' && happening.change === 'unchanged') {
      unchanged += 1;
    } else if (happening.event !== 'ready' || waitedFor.has(happening.object)) {
      if (happening.event === 'waiting') waitedFor.add(happening.object);
      if (happening.event !== 'object') countUnchanged();
      for (const line of linesOf(happening)) print(line);
    }
  };
};

const wide = 'unchanged'.length;
const maxFields = 12;

function linesOf(happening: Happening): string[] {
  switch (happening.event) {
    case 'object':
      return [objectLine(happening), ...fieldLines(happening.fields ?? [])];
    case 'waiting':
      return [`${'waiting'.padEnd(wide)} ${happening.object}: ${happening.why}`];
    case 'ready':
      return [`${'ready'.padEnd(wide)} ${happening.object}`];
    default:
      return [happening.text];
  }
}

const objectLine = ({ change, object }: Happening & { event: 'object' }): string =>
  `${change.padEnd(wide)} ${object}`;

function fieldLines(fields: readonly Difference[]): string[] {
  const lines = fields.slice(0, maxFields).map(differenceLine);
  const more = fields.length - lines.length;
  if (more > 0) lines.push(`and ${counted(more, 'more field')}`);
  return lines.map((line) => `${' '.repeat(wide)} ${line}`);
}

const differenceLine = ({ field, before, after }: Difference): string =>
  `${field}: ${shown(before)} -> ${shown(after)}`;

const longest = 80;

function shown(value: unknown): string {
  const text = value === undefined ? '(none)' : printable(JSON.stringify(value));
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}
