/** One thing that happened, or faults in a row of which nobody said anything. */
export interface Line {
  /** Milliseconds since phaseout began. */
  at: number;
  who: string;
  what: string;
  /** What came of it in the same moment. */
  ledTo: string[];
  /** The fault that it was. */
  fault?: string;
  /** Faults that nobody said anything of. */
  strikes?: { at: number; fault: string }[];
}

const whoWidth = 26;

export const secondsText = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3);

export function lineText(line: Line): string {
  const seconds = secondsText(line.at).padStart(10);
  const indent = ' '.repeat(seconds.length + whoWidth + 4);
  return `${seconds}  ${line.who.padEnd(whoWidth)}  ${whatOf(line).replaceAll('\n', `\n${indent}`)}\n`;
}

function whatOf({ at, what, ledTo, fault, strikes }: Line): string {
  if (strikes !== undefined) return strikesText(strikes, at);
  const which = fault === undefined ? '' : `  [${fault}]`;
  return `${what}${which}${ledTo.length === 0 ? '' : `: ${ledTo.join('\n')}`}`;
}

function strikesText(strikes: readonly { at: number; fault: string }[], since: number): string {
  const until = strikes.at(-1)?.at ?? since;
  const counts = [...Map.groupBy(strikes, ({ fault }) => fault)].map(([fault, { length }]) =>
    length === 1 ? fault : `${fault} (${length} times)`,
  );
  return `[${counts.join(', ')}]${until === since ? '' : ` until ${secondsText(until)}`}`;
}
