interface Line {
  /** Milliseconds since phaseout began. */
  at: number;
  who: string;
  what: string;
}

/** What happened in a simulation, for people: one line for each thing, with the seconds since it began. */
export interface Story {
  /** `at`: by the simulation's clock. */
  begins(at: number): void;
  /** `at`: milliseconds since it began. */
  add(at: number, who: string, what: string): void;
  text(): string;
}

const whoWidth = 24;

export function createStory(): Story {
  const lines: Line[] = [];
  return {
    begins: () => void lines.splice(0),
    add: (at, who, what) => void lines.push({ at, who, what }),
    text: () => withoutRepeats(lines).map(lineText).join(''),
  };
}

function lineText({ at, who, what }: Line): string {
  const seconds = (at / 1_000).toFixed(3).padStart(10);
  const indent = ' '.repeat(seconds.length + whoWidth + 4);
  return `${seconds}  ${who.padEnd(whoWidth)}  ${what.replaceAll('\n', `\n${indent}`)}\n`;
}

/** What is said again and again is told the first time, and then how often. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  const told: Line[] = [];
  let times = 1;
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (next !== undefined && next.who === line.who && next.what === line.what) {
      if (times === 1) told.push(line);
      times += 1;
      continue;
    }
    told.push(times < 3 ? line : { ...line, what: `the same, ${times} times by now` });
    times = 1;
  }
  return told;
}
