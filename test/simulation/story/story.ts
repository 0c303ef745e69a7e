import { type Line, lineText, type Strike } from './line.ts';

/** What happened in a simulation, for people: one line for each thing, with the seconds since it began. */
export interface Story {
  /** `at`: by the simulation's clock. */
  begins(at: number): void;
  /** `at`: milliseconds since it began. */
  add(at: number, who: string, what: string): void;
  /** What became of `whose`. It joins the line before it if that has the same moment and mentions it. */
  leads(at: number, who: string, whose: Whose, what: string): void;
  /** A fault has struck. `isSaid`: the line before says how; others in a row share a line. */
  strikes(strike: Strike, isSaid: boolean): void;
  text(): string;
  /** The last lines that mention any of these names, at most so many. Of equal lines only the last one counts. */
  about(names: readonly string[], most: number): string;
}

/** `Machine fleet/worker-1`. */
interface Whose {
  kind: string;
  name: string;
}

export function createStory(): Story {
  const lines: Line[] = [];
  return {
    begins: () => void lines.splice(0),
    add: (at, who, what) => void lines.push({ at, who, what, ledTo: [] }),
    leads(at, who, { kind, name }, what) {
      const last = lines.at(-1);
      if (last?.at === at && mentions(last, [name])) last.ledTo.push(what);
      else lines.push({ at, who, what: `${kind} ${name}: ${what}`, ledTo: [] });
    },
    strikes(strike, isSaid) {
      const last = lines.at(-1);
      if (isSaid && last !== undefined) last.strike = strike;
      else if (last?.strikes !== undefined) last.strikes.push(strike);
      else lines.push({ at: strike.at, who: 'faults', what: '', ledTo: [], strikes: [strike] });
    },
    text: () => withoutRepeats(lines).map(lineText).join(''),
    about: (names, most) =>
      lastOfEach(lines.filter((line) => mentions(line, names)))
        .slice(-most)
        .map(lineText)
        .join(''),
  };
}

const mentions = ({ what, ledTo }: Line, names: readonly string[]): boolean =>
  [what, ...ledTo].some((text) => text.split(/[\s:;,()]+/).some((word) => names.includes(word)));

/** What is said again and again is told the first time, and then how often. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  const told: Line[] = [];
  let times = 1;
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (next !== undefined && isSame(line, next)) {
      if (times === 1) told.push(line);
      times += 1;
      continue;
    }
    told.push(times < 3 ? line : { ...line, what: `the same, ${times} times by now`, ledTo: [] });
    times = 1;
  }
  return told;
}

/** With how often it was said. */
function lastOfEach(lines: readonly Line[]): Line[] {
  const last = new Map(lines.map((line) => [textOf(line), line]));
  const counts = Map.groupBy(lines, textOf);
  return lines
    .filter((line) => last.get(textOf(line)) === line)
    .map((line) => {
      const times = counts.get(textOf(line))?.length ?? 1;
      return times === 1 ? line : { ...line, what: `${line.what} (${times} times by then)` };
    });
}

const textOf = ({ who, what, ledTo }: Line): string => [who, what, ...ledTo].join('\n');

const isSame = (one: Line, other: Line): boolean =>
  one.strikes === undefined && textOf(one) === textOf(other);
