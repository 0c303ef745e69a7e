import { type Coverage, moments } from '../coverage.ts';

/** A table of faults and phases: how often each fault struck during a step of each phase. A dash means never. */
export function coverageTable({ hits }: Coverage, faults: readonly string[]): string {
  const nameWidth = Math.max(...faults.map((name) => name.length), 5);
  const widths = moments.map((moment) => Math.max(moment.length, 7));
  const row = (name: string, cells: readonly string[]): string =>
    [name.padEnd(nameWidth), ...cells.map((cell, index) => cell.padStart(widths[index] ?? 0))].join('  ');
  const counted = faults.map((name) => {
    const counts = hits[name] ?? {};
    return row(
      name,
      moments.map((moment) => (counts[moment] === undefined ? '-' : short(counts[moment]))),
    );
  });
  return [row('fault', moments), ...counted].join('\n');
}

export function effectsTable({ effects }: Coverage): string {
  const sorted = Object.entries(effects).toSorted(([, one], [, other]) => other - one);
  return sorted.map(([effect, count]) => `${short(count).padStart(9)}  ${effect}`).join('\n');
}

/** 1,234 or 12.3M. */
export function short(count: number): string {
  if (count < 1_000_000) return count.toLocaleString('en');
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Seconds of a clock in the unit that says most: 3 h 20 min. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? `${hours} h ${minutes % 60} min`
    : `${Math.round(hours / 24).toLocaleString('en')} days`;
}
