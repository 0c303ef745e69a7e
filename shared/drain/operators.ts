import type { PodDisruptionBudget } from '../kubernetes/objects.ts';

/** What installs objects for people, and changes none of them by itself later: their budgets are a user's own. */
const installers: readonly string[] = [
  'helm',
  'kustomize',
  'kubectl',
  'argocd',
  'flux',
  'terraform',
  'pulumi',
];

/** Operators that give their budgets no owner, by a label of theirs. An empty value is any. */
const marks: readonly { label: string; value: string; operator: string }[] = [
  { label: 'rook_cluster', value: '', operator: 'Rook' },
  { label: 'application', value: 'spilo', operator: 'the Postgres operator of Zalando' },
];

const managedBy = 'app.kubernetes.io/managed-by';

/** Which operator keeps a budget, as its labels say where no owner does, with the label; undefined where none is known to. */
export function operatorOf({ metadata: { labels = {} } }: PodDisruptionBudget): string | undefined {
  const mark = marks.find(({ label, value }) => label in labels && (value === '' || labels[label] === value));
  if (mark !== undefined) return `${mark.operator} (label ${mark.label})`;
  const manager = labels[managedBy];
  if (!manager || installers.some((name) => manager.toLowerCase().startsWith(name))) return undefined;
  return `${manager} (label ${managedBy})`;
}
