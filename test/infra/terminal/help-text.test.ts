import { expect, test } from 'vitest';
import { optionsText, wrapped } from '../../../infra/terminal/help-text.ts';

test('a help tells options in their order, groups under their headings, and wraps what they mean', () => {
  const text = optionsText({
    context: { type: 'string', value: 'NAME', group: 'Where:', meaning: 'of the kubeconfig' },
    output: { type: 'string', short: 'o', value: 'json', meaning: 'as JSON' },
    policies: { type: 'boolean', default: true, meaning: 'without them' },
    load: {
      type: 'string',
      multiple: true,
      value: '[NAMESPACE/CLUSTER=]PATH',
      group: 'Where:',
      meaning: `manifests ${'or a dump '.repeat(9)}of a cluster`,
    },
  });
  expect(text.split('\n')).toEqual([
    '  -o, --output json       as JSON',
    '  --no-policies           without them',
    '',
    'Where:',
    '  --context NAME          of the kubeconfig',
    '  --load [NAMESPACE/CLUSTER=]PATH...',
    `                          manifests ${'or a dump '.repeat(8)}or a`,
    '                          dump of a cluster',
  ]);
});

test.each([
  ['a word that is too long has a line of its own', 'a bbbbbbbb c', ['a', 'bbbbbbbb', 'c']],
  ['a line is filled to its end', 'aa bb cc', ['aa bb', 'cc']],
])('%s', (_, text, lines) => {
  expect(wrapped(text, 5)).toEqual(lines);
});
