import type { Happening } from '../../../../infra/cli/deploy/report.ts';
import type { Site } from '../../../../infra/cli/deploy/site.ts';
import type { Stage } from '../stage.ts';
import { connectedAs } from './connected.ts';

/** The cluster as a command sees it that an administrator runs. */
function siteOf(stage: Stage): Site {
  const tell = (happening: Happening): void => {
    const text = textOf(happening);
    if (text !== undefined) stage.told.say(`the terminal: ${text}`);
  };
  return {
    kubernetes: connectedAs(stage, 'administrator'),
    service: 'phaseout',
    where: 'https://management',
    clock: stage.clock,
    interrupted: new AbortController().signal,
    tell,
    othersNode: async () => undefined,
  };
}

/** What a story is about: objects, warnings and the end. */
function textOf(happening: Happening): string | undefined {
  if (happening.event === 'object') return `${happening.change} ${happening.object}`;
  return happening.event === 'warning' || happening.event === 'done' ? happening.text : undefined;
}

/** Lets time go by until the command is over. */
export async function untilOver(stage: Stage, command: (site: Site) => Promise<unknown>): Promise<void> {
  let isOver = false;
  const running = command(siteOf(stage)).finally(() => (isOver = true));
  await stage.until('the command is over', () => isOver);
  await running;
}
