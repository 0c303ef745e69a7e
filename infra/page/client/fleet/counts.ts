import { type ComponentChildren, h } from 'preact';
import type { State } from '../../../../shared/explain/deletion-status.ts';
import type { Chosen } from './chosen.ts';

/** How many Machines there are of each kind, of those that are shown. */
export const Counts = ({ deleting, living, gone }: Pick<Chosen, 'deleting' | 'living' | 'gone'>) => {
  const count = (state: State): number => deleting.filter(({ standing }) => standing.state === state).length;
  const counts: readonly [string, number][] = [
    ['Being deleted', deleting.length],
    ['held', count('held')],
    ['late', count('late')],
    ['progressing', count('progressing')],
    ['Living', living.length],
    ['Gone', gone.length],
  ];
  return h(
    'dl',
    { class: 'about counts' },
    counts.map(
      ([what, number]): ComponentChildren =>
        h('div', { key: what }, h('dt', null, what), h('dd', null, number)),
    ),
  );
};
