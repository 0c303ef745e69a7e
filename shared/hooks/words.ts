import { rfc3339Seconds } from '../time/clock.ts';
import type { Asked } from './asked.ts';
import type { Standing } from './times.ts';

/** What a Machine waits for: a sentence for each hook whose turn it is, and those that come later. */
export function waitingText(standing: readonly Standing[], later: readonly string[]): string {
  const now = standing.map(standingText).join('; ');
  return later.length === 0 ? now : `${now}; then DeletionHook ${later.join(', ')}`;
}

/** Where one turn stands. It has no time that moves: a condition is written only when words change. */
export function standingText({ asked, state, message, overSince, ...turn }: Standing): string {
  const said = state === undefined ? 'no answer yet' : stateText(state, message);
  const wrong = [
    ...silenceText(turn),
    ...(overSince === undefined
      ? []
      : [`its time limit ended at ${rfc3339Seconds(overSince)}, onTimeout is ${asked.onTimeout}`]),
  ];
  const isHeldUp = wrong.length > 0 || state === 'Failed';
  const help = isHeldUp ? helpText(asked) : [];
  const rest = [...wrong, ...help];
  const waiting = `Waiting for DeletionHook ${asked.name}: ${said}`;
  return rest.length === 0 ? waiting : `${waiting} (${rest.join('; ')})`;
}

/** Since when nothing is heard of it, and why, as far as anything tells. */
const silenceText = ({ silentSince, because }: Pick<Standing, 'silentSince' | 'because'>): string[] =>
  silentSince === undefined ? [] : [silentText(rfc3339Seconds(silentSince), because)];

/** The same of one that is silent. */
export const silentText = (since: string, because: string | undefined): string =>
  `silent since ${since}${because === undefined ? '' : `: ${because}`}`;

const stateText = (state: string, message: string | undefined): string => {
  if (state === 'Working') return message ?? 'it is working';
  return message === undefined ? 'it has failed' : `it has failed: ${message}`;
};

/** Who can help, and where it says how. */
export const helpText = ({ contact, runbook }: Pick<Asked, 'contact' | 'runbook'>): string[] => [
  ...(contact === undefined ? [] : [`contact ${contact}`]),
  ...(runbook === undefined ? [] : [runbook]),
];

/** Whether a person should look at it. */
export const isHeldUp = ({ state, silentSince, overSince }: Standing): boolean =>
  state === 'Failed' || silentSince !== undefined || overSince !== undefined;
