/** One thing that happened, or faults in a row without words of their own. */
export interface Line {
  /** Milliseconds since phaseout began. */
  at: number;
  who: string;
  what: string;
  /** What came of it in the same moment. */
  ledTo: string[];
  /** The fault that it was. */
  strike?: Strike;
  /** Faults without words of their own. */
  strikes?: Strike[];
}

export interface Strike {
  at: number;
  fault: string;
  /** `on instance-1 during drain`; may be empty. */
  whom: string;
}

const whoWidth = 26;

export const secondsText = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3);

/** How wrong a clock is. */
export const skewText = (milliseconds: number): string =>
  `is ${Math.abs(milliseconds) / 1_000} s ${milliseconds < 0 ? 'behind' : 'ahead'}`;

export function lineText(line: Line): string {
  const seconds = secondsText(line.at).padStart(10);
  const indent = ' '.repeat(seconds.length + whoWidth + 4);
  return `${seconds}  ${line.who.padEnd(whoWidth)}  ${whatOf(line).replaceAll('\n', `\n${indent}`)}\n`;
}

function whatOf({ at, what, ledTo, strike, strikes }: Line): string {
  if (strikes !== undefined) return strikesText(strikes, at);
  const which = strike === undefined ? '' : `  [${strikeText(strike)}]`;
  return `${what}${which}${ledTo.length === 0 ? '' : `: ${ledTo.join('\n')}`}`;
}

const strikeText = ({ fault, whom }: Strike): string => (whom === '' ? fault : `${fault} ${whom}`);

function strikesText(strikes: readonly Strike[], since: number): string {
  const until = strikes.at(-1)?.at ?? since;
  const kinds = [...Map.groupBy(strikes, ({ fault }) => fault).values()].map(oftenText);
  return `[${kinds.join('; ')}]${until === since ? '' : ` until ${secondsText(until)}`}`;
}

/** Of one fault. */
function oftenText(strikes: readonly Strike[]): string {
  const [first, ...others] = strikes;
  if (first === undefined) return '';
  if (others.length === 0) return strikeText(first);
  const whoms = [...new Set(strikes.map(({ whom }) => whom))].filter((whom) => whom !== '');
  return `${first.fault} ${strikes.length} times${whoms.length === 0 ? '' : ` ${whoms.join(', ')}`}`;
}
