/** The reader of the value asks for its other kinds, and takes this one for the rest. */
export const whatIsLeft: readonly (readonly [file: string, line: string, kind: string])[] = [
  ['functions/node.ts', "kind: 'present',", "'present'"],
  [
    'shared/dialects/capi/node-conditions.ts',
    "if (condition === undefined) return [{ status: 'unknown', line: notYetReported(type) }];",
    "'unknown'",
  ],
  [
    'shared/dialects/capi/node-conditions.ts',
    "const status = condition.status === 'Unknown' ? 'unknown' : 'certain';",
    "'unknown'",
  ],
  ['shared/dialects/capi/owned-objects.ts', "find(conditionsOf(object, 'v1beta1'), 'Ready');", "'v1beta1'"],
  [
    'shared/drain/filters.ts',
    "if (presence === 'absent') return { kind: 'pass', warning: 'evicting orphaned DaemonSet-managed Pod' };",
    "'pass'",
  ],
  ['shared/drain/filters.ts', "? { kind: 'pass', warning: 'evicting Pod with local storage' }", "'pass'"],
  ['shared/drain/filters.ts', "? { kind: 'pass', warning: 'evicting Pod that has no controller' }", "'pass'"],
  [
    'shared/drain/rules.ts',
    "return { kind: 'decided', behavior: 'Drain', order: 0, decidedBy: 'default' };",
    "'decided'",
  ],
  ['shared/drain/rules.ts', "kind: 'decided',", "'decided'"],
  ['shared/drain/rules.ts', "return { kind: 'for others' };", "'for others'"],
  ['shared/observe/pods.ts', "return [path, exists ? 'present' : 'absent'];", "'present'"],
];
