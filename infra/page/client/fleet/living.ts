import { type ComponentChildren, h } from 'preact';
import { useState } from 'preact/hooks';
import type { LivingView, MachineName } from '../../views.ts';
import { Link } from '../parts/link.ts';
import { Section } from '../parts/section.ts';
import { still } from '../parts/still.ts';
import { Row, TableFrame } from '../parts/table.ts';
import { keyOf, Named } from './named.ts';

interface LivingProps {
  living: readonly LivingView[];
  /** With those that the filters hide. */
  all: number;
}

/** More are drawn when their reader asks for them. */
const mostOpen = 50;

/** Machines that are not being deleted, each with its plan. */
export const Living = ({ living, all }: LivingProps): ComponentChildren => {
  const [isOpen, setOpen] = useState(false);
  const isMany = living.length > mostOpen;
  const toggle = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLDetailsElement) setOpen(currentTarget.open);
  };
  return h(
    Section,
    { title: 'Living Machines' },
    living.length === 0 ? h('p', null, all === 0 ? 'There is none.' : `The filters hide all ${all}.`) : null,
    isMany
      ? h(
          'details',
          { open: isOpen, onToggle: toggle },
          h('summary', null, `All ${living.length}`),
          isOpen ? h(LivingRows, { living }) : null,
        )
      : null,
    living.length > 0 && !isMany ? h(LivingRows, { living }) : null,
  );
};

const heads = ['Machine', 'State', 'Node', 'Plan'];

const LivingRows = still(({ living }: Pick<LivingProps, 'living'>) =>
  h(
    TableFrame,
    { caption: 'Living Machines', heads, kind: 'long living' },
    living.map((each) => {
      const { api, namespace, name, phase = 'new', node = 'none yet' } = each;
      return h(LivingRow, { key: keyOf(each), api, namespace, name, phase, node });
    }),
  ),
);

const LivingRow = still(({ phase, node, ...machine }: MachineName & { phase: string; node: string }) =>
  h(Row, {
    heads,
    cells: [
      h(Named, { machine }),
      phase,
      node,
      h(
        Link,
        { to: { ...machine, kind: 'machine' } },
        'What would happen',
        h('span', { class: 'hidden' }, ` to ${machine.namespace}/${machine.name}`),
      ),
    ],
  }),
);
