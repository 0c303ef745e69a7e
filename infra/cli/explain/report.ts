import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import { actorText } from '../../../shared/explain/actor.ts';
import type { Advice, Cause, Explanation, Limit } from '../../../shared/explain/explanation.ts';
import { lasting } from '../../../shared/explain/lasting.ts';
import { endsWords } from '../../../shared/explain/plan-words.ts';
import type { PlannedPhase } from '../../../shared/plan/deletion-plan.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted, messageLines, printable } from '../../terminal/words.ts';
import { triedLines } from './tried.ts';

interface Heading {
  /** The Machine, as the user must type it. */
  label: string;
  now: Instant;
  /** What was tried with each Pod; empty where it was not read. */
  pods: readonly PodRecord[];
}

type Section = (explanation: Explanation, paint: Paint, around: Pick<Heading, 'now' | 'pods'>) => string[];

/** The explanation for people, in an order that never changes. */
export function reportLines(explanation: Explanation, { label, now, pods }: Heading, paint: Paint): string[] {
  const written = sections.map((section) => section(explanation, paint, { now, pods }));
  return [title(explanation, label, paint), ...written.flat()];
}

const verdicts = {
  held: ['is held', 'red'],
  progressing: ['is progressing', 'green'],
  unknown: ['may be held: what decides was not read', 'yellow'],
  alive: ['is not being deleted', 'green'],
} as const satisfies Record<Explanation['verdict'], readonly [string, string]>;

function title({ verdict }: Explanation, label: string, paint: Paint): string {
  const [words, style] = verdicts[verdict];
  return `${paint('bold', `Machine ${label}`)} ${paint(style, words)}`;
}

const stands: Section = ({ standing, phases }, paint, { now }) => {
  if (standing === undefined) return [];
  const { phase, since, deletedAt, carriedBy, waitsFor, acts, looksAt, looksWithinSeconds } = standing;
  const ago = (time: string): string => lasting(now - Date.parse(time));
  const where = phase === undefined ? 'its phase is not shown' : `in ${phase}`;
  const began = since === undefined ? '' : ` for ${ago(since)}`;
  const carrier = carriedBy === 'phaseout' ? 'phaseout' : "the API's own controller";
  const within = looksWithinSeconds === undefined ? '' : `; looked at again within ${looksWithinSeconds} s`;
  const again = looksAt === undefined ? within : `; looked at next at ${looksAt}`;
  return [
    paint('bold', 'Where it stands'),
    `  ${where}${began}, deleted ${ago(deletedAt)} ago; carried on by ${carrier}${again}`,
    `  ${track(phases, phase)}`,
    `  ${paint('yellow', printable(waitsFor.reason))}: ${messageLines(waitsFor.message)[0] ?? ''}`,
    `  to act: ${printable(actorText(acts))}`,
  ];
};

/** `✓ pre-drain  ● drain  ○ infrastructure`. */
const track = (phases: readonly PlannedPhase[], here: PlannedPhase['phase'] | undefined): string =>
  phases.map(({ phase, does }) => `${phase === here ? '●' : (signs[does] ?? '○')} ${phase}`).join('  ');

const signs: Partial<Record<PlannedPhase['does'], string>> = { passed: '✓', skip: '–', unknown: '?' };

const shownCauses = 5;
const shownDetails = 2;

const holds: Section = ({ causes, later, unasked = [], verdict }, paint) => {
  const heading = paint('bold', verdict === 'alive' ? 'What would hold it' : 'What holds it');
  const ahead = [...later.map((line) => `later, in ${line}`), ...unasked].map((line) =>
    paint('dim', `  ${printable(line)}`),
  );
  if (causes.length === 0) return [heading, '  nothing', ...ahead];
  const worst = causes.toSorted(
    (one, other) => order.indexOf(one.endsByItself) - order.indexOf(other.endsByItself),
  );
  return [
    heading,
    ...worst.slice(0, shownCauses).flatMap((cause) => causeLines(cause, paint)),
    ...(causes.length > shownCauses
      ? [`  … and ${counted(causes.length - shownCauses, 'more cause')}: -o json`]
      : []),
    ...ahead,
  ];
};

const order = ['no', 'unknown', 'yes'];
const endStyles = { no: 'red', unknown: 'yellow', yes: 'green' } as const;

function causeLines(
  { what, owner, numbers = {}, details, endsByItself, why }: Cause,
  paint: Paint,
): string[] {
  const counts = Object.entries(numbers).map(([name, value]) => `${spaced(name)} ${value}`);
  const facts = [...(owner === undefined ? [] : [`owner: ${printable(owner)}`]), ...counts].join(' · ');
  return [
    `  ${paint('bold', printable(what))}`,
    ...(facts === '' ? [] : [`    ${facts}`]),
    ...details.slice(0, shownDetails).map((line) => `    ${printable(line)}`),
    `    ${paint(endStyles[endsByItself], endsWords[endsByItself])}: ${printable(why)}`,
  ];
}

/** `grace seconds` of `graceSeconds`. */
const spaced = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const ending: Section = ({ endsByItself: { answer, why }, verdict }, paint) =>
  verdict === 'alive'
    ? []
    : [paint('bold', 'Does it end by itself'), `  ${paint(endStyles[answer], answer)}: ${printable(why)}`];

const limits: Section = ({ givenUp, standing }, paint, { now }) => {
  const here = standing?.phase;
  const isOpen = standing !== undefined && !givenUp.some(({ phase }) => phase === here);
  const lines = givenUp.map((limit) => `  ${limitLine(limit, now)}`);
  const never = isOpen ? [`  ${here ?? 'what is left'}: never, it has no time limit`] : [];
  if (lines.length + never.length === 0) return [];
  return [paint('bold', 'When it is given up'), ...never, ...lines];
};

function limitLine({ phase, seconds, at, afterwards }: Limit, now: Instant): string {
  const left = Date.parse(at ?? '') - now;
  const begun = left <= 0 ? `over since ${at}` : `at ${at}, in ${lasting(left)}`;
  const when = at === undefined ? `${seconds} s after it begins` : begun;
  return `${phase}: ${when}; then ${afterwards}`;
}

const shownLooks = 5;
const marks = { looks: 'look', changes: 'change', destroys: 'last' } as const;
const adviceStyles = { looks: 'cyan', changes: 'yellow', destroys: 'red' } as const;

const advice: Section = ({ advice: all }, paint) => {
  if (all.length === 0) return [];
  const looks = all.filter(({ does }) => does === 'looks').slice(0, shownLooks);
  const shown = [...looks, ...all.filter(({ does }) => does !== 'looks')];
  return [paint('bold', 'What to do'), ...shown.flatMap((each) => adviceLines(each, paint))];
};

const adviceLines = ({ does, command, why, costs }: Advice, paint: Paint): string[] => [
  `  ${paint(adviceStyles[does], marks[does].padEnd(6))} ${printable(command)}`,
  ...(costs === undefined ? [] : [`         ${printable(why)}; it costs: ${printable(costs)}`]),
];

const tried: Section = ({ tried: all }, paint, { pods }) =>
  all === undefined ? [] : triedLines(all, pods, paint);

const unsure: Section = ({ unsure: all }, paint) => all.map((line) => paint('yellow', printable(line)));

const sections: readonly Section[] = [stands, holds, ending, limits, advice, tried, unsure];
