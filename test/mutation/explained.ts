import type { Explained } from './survivors.ts';

/** Survivors that make no difference to anyone, each with the reason. What makes one gets a test instead. */
export const explained: readonly Explained[] = [
  {
    file: 'shared/drain/budget.ts',
    line: "`${namespace ?? ''}/${name}`;",
    from: "''",
    to: '"Stryker was here!"',
    because:
      'Pods and budgets have a namespace; only the type of metadata, which Nodes share, allows for none',
  },
];
