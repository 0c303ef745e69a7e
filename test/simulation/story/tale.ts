import { switches } from '../faults/index.ts';
import type { Outcome, SimulationOptions } from '../simulate.ts';
import { accountant } from './account.ts';
import { cast } from './cast.ts';
import { createStory } from './story.ts';
import { teller } from './teller.ts';

/** One run as a text for people: its cast, its events, and the facts about a violation. */
export interface Tale {
  observers: NonNullable<SimulationOptions['observers']>;
  text(title: string, outcome: Pick<Outcome, 'violations' | 'steps' | 'seconds'>): string;
}

export function createTale(): Tale {
  const story = createStory();
  const struck = new Map<string, number>();
  let scene = '';
  let account = '';
  return {
    observers: [
      (world, scenario) => {
        scene = cast(world, scenario);
        return { hit: (fault) => void struck.set(fault, (struck.get(fault) ?? 0) + 1) };
      },
      teller(story),
      accountant(story, (text) => {
        account = text;
      }),
    ],
    text(title, { violations, steps, seconds }) {
      const end = violations.length === 0 ? 'Nothing was violated.\n' : violationText(violations, account);
      const measured = `(${steps} events in ${seconds.toFixed(0)} s by its own clock)`;
      return `${title}\n${scene}${faultsText(struck)}\n${story.text()}\n${end}${measured}\n`;
    },
  };
}

/** Which faults strike and what each of them is. */
function faultsText(struck: ReadonlyMap<string, number>): string {
  if (struck.size === 0) return '  no fault strikes\n';
  const lines = [...struck].map(([fault, times]) => {
    const about = switches.find(({ name }) => name === fault)?.about;
    const often = times === 1 ? fault : `${fault} (${times} times)`;
    return `    ${about === undefined ? often : `${often}: ${about}`}\n`;
  });
  return `  faults that strike:\n${lines.join('')}`;
}

/** An invariant's name has no colon. */
function violationText([first = '', ...others]: readonly string[], account: string): string {
  const [, name = '', what = ''] = /^([^:]*): ([^]*)$/.exec(first) ?? [];
  const also = others.map((other) => `  also: ${other}\n`).join('');
  return `VIOLATED: ${name}\n  ${what}\n${also}${account === '' ? '' : `  ${account}`}\n`;
}
