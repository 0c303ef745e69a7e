import { type ComponentChildren, h } from 'preact';
import { goTo, Link } from '../parts/link.ts';
import { still } from '../parts/still.ts';
import { type Choice, type FilterName, filterNames, isFiltering, noChoice, searchOf } from './choice.ts';

const labels: Readonly<Record<FilterName, string>> = {
  namespace: 'Namespace',
  cluster: 'Cluster',
  phase: 'Phase',
  holder: 'What holds',
};

interface FilterBarProps {
  choice: Choice;
  options: Readonly<Record<FilterName, readonly string[]>>;
  /** How many deletions are shown, and how many there are. */
  shown: number;
  all: number;
}

/** What is shown, and as what. The address keeps it. */
export const FilterBar = still(
  ({ choice, options, shown, all }: FilterBarProps): ComponentChildren =>
    h(
      'form',
      { class: 'choices', 'aria-label': 'What is shown' },
      filterNames.map((name) =>
        h(Select, {
          key: name,
          name,
          label: labels[name],
          options: [['', 'all'], ...options[name].map((value): [string, string] => [value, value])],
          choice,
        }),
      ),
      h(Select, {
        name: 'as',
        label: 'As',
        options: [
          ['', 'as it fits'],
          ['rows', 'rows'],
          ['cards', 'cards'],
        ],
        choice,
      }),
      h('p', { role: 'status' }, isFiltering(choice) ? h(Filtered, { choice, shown, all }) : null),
    ),
);

const Filtered = ({ choice, shown, all }: Omit<FilterBarProps, 'options'>): ComponentChildren => [
  `Shown: ${shown} of ${all} being deleted. `,
  h(Link, { key: 'off', to: withoutFilters(choice) }, 'Take the filters off'),
];

const withoutFilters = ({ as }: Choice) =>
  ({ kind: 'overview', search: searchOf({ ...noChoice, as }) }) as const;

interface SelectProps {
  name: keyof Choice;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  choice: Choice;
}

const Select = ({ name, label, options, choice }: SelectProps): ComponentChildren => {
  const choose = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLSelectElement)) return;
    goTo({ kind: 'overview', search: searchOf({ ...choice, [name]: currentTarget.value }) });
  };
  const id = `filter-${name}`;
  return h(
    'div',
    null,
    h('label', { for: id }, label),
    h(
      'select',
      { id, value: choice[name], onChange: choose },
      options.map(([value, text]) => h('option', { key: value, value }, text)),
    ),
  );
};

/** All that is being deleted is hidden. */
export const AllHidden = ({ choice, all }: { choice: Choice; all: number }): ComponentChildren => {
  const filters = filterNames.filter((name) => choice[name] !== '');
  const said = filters.map((name) => `${labels[name].toLowerCase()} ${choice[name]}`).join(', ');
  return h(
    'p',
    { class: 'empty' },
    `The filters hide all that is being deleted (${all}): ${said}. `,
    h(Link, { to: withoutFilters(choice) }, 'Take the filters off'),
  );
};
