/** `2.1 s`, `75 s`, `12 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return seconds < 600 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** `1 Pod`, `3 Pods`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** What turns a line round, or is not seen. */
const unseen = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** What came from outside in one line, without anything that a terminal would obey, turn round or hide. */
export const printable = (text: string): string =>
  text
    .replaceAll(unseen, '\ufffd')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '\ufffd')
    .trim();

/** The same of a text that has lines of its own. */
export const printableLines = (text: string): string =>
  text.replaceAll(unseen, '\ufffd').replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd');

/** A condition's message as separate lines, without the heading and the bullets that hold a long one together. */
export function messageLines(message: string): string[] {
  const lines = message.split('\n').map((line) => printable(line.replace(/^\* /, '')));
  const [heading, ...items] = lines.filter((line) => line !== '');
  return items.length > 0 && /\(started at [^)]*\):?$/.test(heading ?? '')
    ? items
    : [heading ?? '', ...items];
}

/** The last column is left free: some terminals break the line there. */
export const clipped = (line: string, width: number): string =>
  line.length < width ? line : `${line.slice(0, Math.max(0, width - 2))}…`;
