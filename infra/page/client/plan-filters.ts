import { type ComponentChildren, h } from 'preact';
import { goTo } from './parts/link.ts';
import { still } from './parts/still.ts';

/** By their names in the address. */
const fields = [
  ['namespace', 'Namespace'],
  ['cluster', 'Cluster'],
  ['machine-deployment', 'MachineDeployment'],
  ['machine-set', 'MachineSet'],
  ['selector', 'Labels, as pool=a,zone!=b'],
] as const;

interface FiltersProps {
  search: string;
}

/** Which Machines the plan is about. The address keeps it. What is typed stays until there is another address. */
export const PlanFilters = still(({ search }: FiltersProps) => h(Filters, { search }));

const Filters = ({ search }: FiltersProps): ComponentChildren => {
  const given = new URLSearchParams(search);
  return h(
    'form',
    { class: 'filters', role: 'search', 'aria-label': 'Which Machines', onSubmit: submit },
    fields.map(([name, label]) =>
      h(
        'label',
        { key: name },
        label,
        h('input', { name, value: given.get(name) ?? '', autocomplete: 'off', spellcheck: false }),
      ),
    ),
    h('button', { type: 'submit' }, 'Plan these'),
  );
};

function submit(event: SubmitEvent): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement)
    goTo({ kind: 'plan', search: searchOf(new FormData(event.currentTarget)) });
}

function searchOf(form: FormData): string {
  const query = new URLSearchParams();
  for (const [name] of fields) {
    const value = form.get(name);
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim());
  }
  return query.size === 0 ? '' : `?${query}`;
}
