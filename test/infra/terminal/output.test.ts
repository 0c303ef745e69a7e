import { describe, expect, it } from 'vitest';
import { asData } from '../../../infra/terminal/output.ts';

describe('an answer as data', () => {
  const shared = { name: 'worker-1' };
  const answer = () => ({ one: shared, other: shared, missing: undefined, text: 'two words '.repeat(20) });

  it('is one line of JSON', () => {
    expect(asData('json', () => ({ machines: [], missing: undefined }))).toBe('{"machines":[]}\n');
  });

  it('is a document of YAML without anchors, and no line of it is folded', () => {
    expect(asData('yaml', answer)).toBe(
      `one:\n  name: worker-1\nother:\n  name: worker-1\ntext: ${JSON.stringify('two words '.repeat(20))}\n`,
    );
  });

  it.each(['text', 'wide'] as const)('is not there where it is %s', (form) => {
    expect(asData(form, answer)).toBeUndefined();
  });
});
