/** What happened to one object between two looks: it appeared (no before), changed, or went (no after). */
export interface Change<T> {
  key: string;
  before: T | undefined;
  after: T | undefined;
}

/** Names the groups an object belongs to, for example the Node a Pod runs on. */
export type Grouping<T> = (object: T) => readonly string[];

/** Keys of the members of each group. */
export type Groups = Map<string, Set<string>>;

/** Moves one object to the groups it belongs to after a change. */
export function regroup<T>(groups: Groups, grouping: Grouping<T>, change: Change<T>): void {
  const old = change.before === undefined ? [] : grouping(change.before);
  const current = change.after === undefined ? [] : grouping(change.after);
  for (const group of old) if (!current.includes(group)) leave(groups, group, change.key);
  for (const group of current) join(groups, group, change.key);
}

function join(groups: Groups, group: string, key: string): void {
  const members = groups.get(group);
  if (members === undefined) groups.set(group, new Set([key]));
  else members.add(key);
}

function leave(groups: Groups, group: string, key: string): void {
  const members = groups.get(group);
  members?.delete(key);
  if (members?.size === 0) groups.delete(group);
}
