import type { Selection } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { type Beside, besideLines, tellBeside } from '../../terminal/beside.ts';
import type { Outside } from '../../terminal/outside.ts';
import { type Paint, paintFor } from '../../terminal/paint.ts';
import { Panel } from '../../terminal/panel.ts';
import { wrapped } from '../../terminal/wrap.ts';
import { followDeleting } from '../look/follow-deleting.ts';
import { listDeleting } from '../look/list-deleting.ts';
import { inOneScreen } from './report.ts';
import { type Telling, type Told, told } from './told.ts';
import { textOf } from './write.ts';

interface Watching extends Telling {
  selection: Selection;
}

/** Durations grow even if nothing happens. */
const refreshMilliseconds = 1_000;

/** The list as it is now, until it is interrupted: redrawn in a terminal, elsewhere told again with each change. */
export async function watchStatus(watching: Watching): Promise<number> {
  const { fleet, selection, form, outside, looks, hooks } = watching;
  const { stdout, clock, interrupted } = outside;
  // What may not be listed at all ends it at once.
  await hooks.refresh(await listDeleting(fleet, selection));
  const isBoard = stdout.isTTY === true && (form === 'text' || form === 'wide');
  let machines: readonly KubeObject[] = [];
  const toldNow = (): Told => {
    // The next drawing has what it answers.
    void looks.refresh();
    return told(machines, watching);
  };
  const panel = isBoard ? new Panel(stdout, clock) : undefined;
  if (panel !== undefined) panel.draw = (width, height) => boardOf(toldNow(), { width, height }, outside);
  const tell = tellChanges(outside, form === 'yaml' ? '---\n' : '');
  const show = (): void => (panel === undefined ? tell(toldNow()) : panel.change());
  const showHooks = async (): Promise<void> => {
    const before = hooks.known;
    await hooks.refresh(machines);
    if (hooks.known !== before && !interrupted.aborted) show();
  };
  // Timers of the clock do not keep the process alive.
  const awake = setInterval(() => {
    void showHooks();
    panel?.change();
  }, refreshMilliseconds);
  try {
    await followDeleting({
      fleet,
      selection,
      clock,
      signal: interrupted,
      changed: (now) => {
        machines = now;
        show();
        void showHooks();
      },
    });
    return 0;
  } finally {
    clearInterval(awake);
    panel?.close();
  }
}

interface Screen {
  width: number;
  height: number;
}

/** A board has one place: what is said beside the list stands below it. */
function boardOf(answer: Told, { width, height }: Screen, outside: Outside): string[] {
  if ('data' in answer) return [];
  const { rows, end, notes, unread } = answer;
  const beside = (what: Beside): string[] => besideLines(what, paintFor(outside.stdout, outside), width - 1);
  const below = [...end.flatMap((line) => wrapped(line, width - 1)), ...beside({ notes: [], unread })];
  // Notes have the room that is left.
  return [...inOneScreen(rows, below, height), ...beside({ notes })];
}

const plain: Paint = (_style, text) => text;

/** Writes what is new: of the answer, and of what is said beside it. `before` begins each document. */
function tellChanges(outside: Outside, before: string): (answer: Told) => void {
  let [last, lastBeside] = ['', ''];
  return (answer) => {
    if ('rows' in answer) {
      const beside = besideLines(answer, plain).join('\n');
      if (beside !== lastBeside) tellBeside(answer, outside);
      lastBeside = beside;
    }
    const text = textOf(answer);
    if (text !== last) outside.stdout.write(`${before}${text}`);
    last = text;
  };
}
