import { neverAbsent } from './never-absent.ts';
import type { Explained } from './survivors.ts';

/** Whoever reads the value asks for its other kinds, and takes this one for what is left. */
const whatIsLeft: readonly (readonly [file: string, line: string, kind: string])[] = [
  ['functions/node.ts', "kind: 'present',", "'present'"],
  [
    'functions/node.ts',
    "return { kind: 'present', name, uid, isTerminating, deletion: look.deletion(uid) };",
    "'present'",
  ],
  [
    'functions/node.ts',
    "return { kind: 'read', object: await look.get('workload', nodes, { name }) };",
    "'read'",
  ],
  [
    'functions/volume-detach.ts',
    "return { kind: 'attached', volumes, verdicts, node, attachmentsVersion };",
    "'attached'",
  ],
  [
    'shared/drain/filters.ts',
    "if (presence === 'absent') return { kind: 'pass', warning: 'evicting orphaned DaemonSet-managed Pod' };",
    "'pass'",
  ],
  ['shared/drain/filters.ts', "? { kind: 'pass', warning: 'evicting Pod with local storage' }", "'pass'"],
  ['shared/drain/filters.ts', "? { kind: 'pass', warning: 'evicting Pod that has no controller' }", "'pass'"],
  [
    'shared/drain/rule-filter.ts',
    "return { kind: 'decided', behavior: 'Drain', order: 0, decidedBy: 'default' };",
    "'decided'",
  ],
  ['shared/drain/rule-filter.ts', "return { kind: 'decided', behavior, order: 0, decidedBy };", "'decided'"],
  [
    'shared/drain/rule-filter.ts',
    "return { kind: 'decided', behavior, order: parsed, decidedBy };",
    "'decided'",
  ],
  ['shared/drain/rules.ts', "return { kind: 'for others' };", "'for others'"],
  ['shared/observe-pods.ts', "return [path, exists ? 'present' : 'absent'];", "'present'"],
  [
    'shared/volumes/attached.ts',
    "return { kind: 'read', attached: { nodeVolumes, persistentVolumes } };",
    "'read'",
  ],
];

const single: readonly Explained[] = [
  {
    file: 'shared/drain/refusal.ts',
    line: 'const fromHeader = header === null || header === undefined',
    from: 'header === undefined',
    to: 'false',
    because: 'the number of undefined is none either',
  },
  {
    file: 'shared/drain/refusal-texts.ts',
    line: 'if (budget !== undefined && at >',
    from: 'budget !== undefined',
    to: 'true',
    because: 'nobody asks for the newest answer of no budget',
  },
  {
    file: 'shared/drain/refusal-texts.ts',
    line: 'const other = refusal.budget === undefined',
    from: 'refusal.budget === undefined',
    to: 'false',
    because: 'no answer is kept under no budget',
  },
  {
    file: 'shared/drain/refusal-texts.ts',
    line: 'if (budget !== undefined && at >',
    from: 'at > (newest.get(budget)?.at ?? -1)',
    to: 'at >= (newest.get(budget)?.at ?? -1)',
    because: 'of two answers of one time each stands for its own Pod',
  },
  {
    file: 'shared/drain/budget.ts',
    line: 'return answer;',
    from: "answer.kind !== 'refused'",
    to: 'false',
    because: 'no other answer has a cause',
  },
  {
    file: 'shared/drain-ends.ts',
    line: 'const isShared = key !== undefined',
    from: 'key !== undefined',
    to: 'true',
    because: 'no budget was read under no key',
  },
  {
    file: 'shared/drain-ends.ts',
    line: 'return name === undefined ? undefined : budgetKey',
    from: 'name === undefined',
    to: 'false',
    because: 'no budget is named undefined, so that none was read under that key',
  },
  {
    file: 'shared/plan/plan-phases.ts',
    line: 'if (machine.infrastructure === undefined)',
    from: 'machine.infrastructure === undefined',
    to: 'false',
    because:
      'a Machine API that deletes by an object has it in every Machine; the type is for those that do not',
  },
];

/** Survivors that make no difference to anyone, each with the reason. What makes one gets a test instead. */
export const explained: readonly Explained[] = [
  ...neverAbsent.map(([file, line]) => ({
    file,
    line,
    from: "''",
    to: '"Stryker was here!"',
    because: 'it is never absent, and the fallback only for the type',
  })),
  ...whatIsLeft.map(([file, line, from]) => ({
    file,
    line,
    from,
    to: '""',
    because: 'whoever reads it asks for the other kinds, and takes this one for what is left',
  })),
  ...single,
];
