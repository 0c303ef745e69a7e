import { h } from 'preact';
import type { HistoryLine } from '../views.ts';
import { Message } from './parts/message.ts';
import { sectionOf } from './parts/section.ts';
import { still } from './parts/still.ts';
import { Table } from './parts/table.ts';
import { clockTime } from './parts/times.ts';

/** Who decided what, why and when. */
export const History = still(({ history }: { history: readonly HistoryLine[] }) =>
  sectionOf('History', history, () =>
    h(
      'details',
      null,
      h('summary', null, `${history.length} ${history.length === 1 ? 'entry' : 'entries'}, newest first`),
      h(Table, {
        caption: 'History',
        heads: ['At', 'Phase', 'What', 'Why', 'By'],
        rows: history.map(({ at, phase, what, reason, message, by }) => [
          clockTime(at),
          phase,
          `${what} (${reason})`,
          h(Message, { text: message }),
          by,
        ]),
      }),
    ),
  ),
);
