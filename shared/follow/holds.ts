import { listOf } from '../text/truncate.ts';
import type { OnNode, Refused } from './on-node.ts';
import type { Watched } from './watched.ts';

/** What holds a deletion, for people: a line each. */
export const holdsIn = (
  { waitsFor, acts, since, givenUp }: Watched,
  onNode: OnNode | undefined,
): string[] => [
  ...(onNode === undefined ? [waitsFor.message, `Has to act: ${acts.name}`] : drainLines(onNode)),
  ...(since === undefined ? [] : [`Since ${since}`]),
  ...(givenUp?.at === undefined ? [] : [`Given up at ${givenUp.at}: ${givenUp.afterwards}`]),
];

/** As it is on the Node: what the Machine says may be old. */
function drainLines({ unreachable, refused, unasked, stopping, completing, unread }: OnNode): string[] {
  const isFree = refused.length + unasked.length + stopping.length + completing.length === 0;
  return [
    'Draining the Node',
    ...(unreachable === undefined ? [] : [unreachable]),
    ...refusalLines(refused),
    ...(unasked.length > 0 ? [`Pods that are not asked to go yet: ${listOf(unasked, 10)}`] : []),
    ...(stopping.length > 0 ? [`Pods that stop: ${listOf(stopping, 10)}`] : []),
    ...(completing.length > 0 ? [`Pods that have to complete: ${listOf(completing, 10)}`] : []),
    ...unread,
    ...(refused.length > 0 ? [`Has to act: ${ownersOf(refused)}`] : []),
    ...(isFree && unread.length === 0
      ? ["Has to act: the API's own controller: no Pod has to go any more"]
      : []),
  ];
}

/** One line for all Pods that are refused for one reason, with each of them. */
const refusalLines = (refused: readonly Refused[]): string[] =>
  [...Map.groupBy(refused, whyOf)].map(([why, pods]) => `${namesIn(pods)}: ${why}`);

const namesIn = (refused: readonly Refused[]): string =>
  `${refused.length === 1 ? 'Pod' : 'Pods'} ${refused.map(({ pod }) => pod).join(', ')}`;

const whyOf = ({ budget, message, explanation }: Refused): string =>
  [
    budget === undefined ? '' : `budget ${budget}: `,
    message,
    explanation === undefined ? '' : ` (${explanation})`,
  ].join('');

/** Whether these lines tell already that a Pod is refused, and for the same reason. */
export function isIn(lines: readonly string[], refused: Refused): boolean {
  const why = `: ${whyOf(refused)}`;
  return lines.some((line) => {
    const names = line.endsWith(why) ? line.slice(0, -why.length).replace(/^Pods? /, '') : '';
    return names.split(', ').includes(refused.pod);
  });
}

function ownersOf(refused: readonly Refused[]): string {
  const budgets = [...new Set(refused.flatMap(({ budget }) => budget ?? []))];
  return budgets.length === 0 ? 'an operator' : `the owner of PodDisruptionBudget ${listOf(budgets, 10)}`;
}
