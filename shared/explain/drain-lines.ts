/** One line of a drain's message: some Pods, and what is with them. */
export interface DrainLine {
  kind:
    | 'budget'
    | 'several-budgets'
    | 'refused'
    | 'on-their-way'
    | 'to-complete'
    | 'later'
    | 'back'
    | 'ruled';
  /** `namespace/name`; the message names three at most. */
  pods: readonly string[];
  /** What the API says of it, where it says something. */
  text: string;
  /** `namespace/name` of the budget that refuses. */
  budget?: string;
}

const kinds: readonly [DrainLine['kind'], RegExp][] = [
  ['several-budgets', /^Pods? (.+?): (?:failed to evict Pod, )?(This pod has more than one .*)$/],
  ['budget', /^Pods? (.+?): (cannot evict pod as it would violate the pod's disruption budget\..*)$/],
  ['refused', /^Pods? (.+?): failed to evict Pod, (.*)$/],
  ['on-their-way', /^Pods? (.+?): (deletionTimestamp set, but still not removed from the Node)$/],
  ['to-complete', /^Pods? (.+?): (waiting for completion)$/],
  ['ruled', /^Pod (\S+): (.+ \(DrainPolicy \S+, \w+\))$/],
  ['back', /^Pods? (.+?) (came back to the cordoned Node after an eviction.*)$/],
  ['later', /^(?:After above Pods have been removed from the Node|Next), .*?: ()(.*)$/],
];

/** The lines of a drain's message, in Cluster API's words. What is none of them is left out. */
export const drainLines = (message: string): DrainLine[] => message.split('\n').flatMap(lineOf);

/** Of a drain's message what DrainPolicies do about these Pods, a line each. */
export const ruledLines = (message: string, pods: readonly string[]): string[] =>
  drainLines(message)
    .filter(({ kind, pods: [pod = ''] }) => kind === 'ruled' && pods.includes(pod))
    .map(({ pods: [pod], text }) => `${pod}: ${text}`);

function lineOf(text: string): DrainLine[] {
  const line = text.replace(/^\* /, '').trim();
  for (const [kind, pattern] of kinds) {
    const [, names, said] = pattern.exec(line) ?? [];
    if (names === undefined || said === undefined) continue;
    const pods = podsIn(names);
    const budget = kind === 'budget' ? budgetIn(said, pods[0]) : undefined;
    return [{ kind, pods, text: said.trim(), ...(budget !== undefined && { budget }) }];
  }
  return [];
}

/** Of `a/b, c/d, ... (2 more)`. */
const podsIn = (names: string): string[] =>
  names.split(', ').filter((name) => /^[^\s/]+\/[^\s/]+$/.test(name));

function budgetIn(text: string, pod: string | undefined): string | undefined {
  const name = /The disruption budget (\S+) (?:needs|does not allow|is still being processed)/.exec(
    text,
  )?.[1];
  const namespace = pod?.split('/')[0];
  return name === undefined || namespace === undefined ? undefined : `${namespace}/${name}`;
}
