import { type ComponentChildren, h } from 'preact';
import { goTo } from './parts/link.ts';

/** By their names in the address. */
const fields = [
  ['namespace', 'Namespace'],
  ['cluster', 'Cluster'],
  ['machine-deployment', 'MachineDeployment'],
  ['machine-set', 'MachineSet'],
  ['selector', 'Labels, as pool=a,zone!=b'],
] as const;

/** Which Machines the plan is about. The address keeps it, so a link leads to the same plan. */
export const PlanFilters = ({ query }: { query: string }): ComponentChildren => {
  const given = new URLSearchParams(query);
  return h(
    'form',
    { class: 'filters', role: 'search', 'aria-label': 'Which Machines', onSubmit: submit },
    fields.map(([name, label]) =>
      h(
        'label',
        { key: name },
        label,
        h('input', { name, defaultValue: given.get(name) ?? '', autocomplete: 'off', spellcheck: false }),
      ),
    ),
    h('button', { type: 'submit' }, 'Plan these'),
  );
};

function submit(event: SubmitEvent): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement)
    goTo({ kind: 'plan', query: queryOf(new FormData(event.currentTarget)) });
}

function queryOf(form: FormData): string {
  const query = new URLSearchParams();
  for (const [name] of fields) {
    const value = form.get(name);
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim());
  }
  return query.size === 0 ? '' : `?${query}`;
}
