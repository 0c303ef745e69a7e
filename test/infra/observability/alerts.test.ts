import { describe, expect, test } from 'vitest';
import { anchorsOf, entriesOf } from '../../documents/markdown.ts';
import { ruleFile } from './queries.ts';

const runbook = 'infra/runbook.md';
const rules = ruleFile().groups.flatMap((group) => group.rules);

describe('an alert', () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s leads to its entry in the runbook',
    (alert, { annotations }) => {
      expect(annotations.runbook_url).toBe(
        `https://git.example.com/phaseout/blob/main/infra/runbook.md#${alert.toLowerCase()}`,
      );
      expect(anchorsOf(runbook)).toContain(alert.toLowerCase());
    },
  );

  test.each(rules.map((rule) => [rule.alert, rule] as const))('%s can be routed', (_, { labels }) => {
    expect(labels).toMatchObject({
      severity: expect.stringMatching(/^(warning|critical)$/),
      component: 'phaseout',
    });
  });

  test.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s names in its words only labels that its query keeps',
    (_, { expr, annotations, labels }) => {
      const words = [annotations.summary, ...Object.values(labels)].join(' ');
      const named = [...words.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
      const kept = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/, */));
      expect(named.filter((label) => !kept.includes(label))).toEqual([]);
    },
  );

  test('has an entry in the runbook, and no other has', () => {
    expect(entriesOf(runbook, 'Alerts').filter((word) => /^Phaseout[A-Z]/.test(word))).toEqual(
      rules.map(({ alert }) => alert),
    );
  });
});
