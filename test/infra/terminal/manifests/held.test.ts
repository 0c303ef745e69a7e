import { describe, expect, it } from 'vitest';
import { asHeld } from '../../../../infra/terminal/manifests/held.ts';

describe('a manifest is read as an API server would hold it', () => {
  it.each([
    [
      'maps and lists that are null',
      { metadata: { labels: null, annotations: null, finalizers: null } },
      { metadata: {} },
    ],
    [
      'fields of the spec that are null, however deep',
      { spec: { taints: null, a: { b: null, c: [{ d: null, e: 1 }] } }, status: null },
      { spec: { a: { c: [{ e: 1 }] } } },
    ],
    [
      'a label that is null',
      { metadata: { labels: { a: null, b: 'c' } } },
      { metadata: { labels: { a: '', b: 'c' } } },
    ],
    [
      'a label to select by that is null',
      { spec: { selector: { matchLabels: { a: null } } } },
      { spec: { selector: { matchLabels: { a: '' } } } },
    ],
    [
      'times with an offset, or with fractions',
      {
        metadata: {
          creationTimestamp: '2026-11-20T01:00:00.9+01:00',
          deletionTimestamp: '2026-11-19T23:30:00-01:30',
        },
      },
      { metadata: { creationTimestamp: '2026-11-20T00:00:00Z', deletionTimestamp: '2026-11-20T01:00:00Z' } },
    ],
    [
      'times of the status',
      { status: { conditions: [{ lastTransitionTime: '2026-11-28T07:00:05.5+02:00' }] } },
      { status: { conditions: [{ lastTransitionTime: '2026-11-28T05:00:05Z' }] } },
    ],
    [
      'microseconds, where Kubernetes keeps them',
      { spec: { renewTime: '2026-11-28T07:00:05.1234567+02:00', acquireTime: '2026-11-28T05:00:05Z' } },
      { spec: { renewTime: '2026-11-28T05:00:05.123456Z', acquireTime: '2026-11-28T05:00:05.000000Z' } },
    ],
    [
      'texts that look like times, where none is held',
      {
        metadata: { annotations: { setTime: '2026-11-28T07:00:05+02:00' } },
        spec: { note: '2026-11-28T07:00:05+02:00' },
      },
      {
        metadata: { annotations: { setTime: '2026-11-28T07:00:05+02:00' } },
        spec: { note: '2026-11-28T07:00:05+02:00' },
      },
    ],
    [
      'what is no time, for others to refuse',
      { status: { startTime: 'soon', lastProbeTime: '2026-11-28T25:00:00Z' } },
      { status: { startTime: 'soon', lastProbeTime: '2026-11-28T25:00:00Z' } },
    ],
  ])('%s', (_what, manifest, expected) => {
    expect(asHeld(manifest, true)).toEqual(expected);
  });

  it('leaves a label out that is null, where the API server does not know the field', () => {
    const manifest = { spec: { selector: { matchLabels: { a: null, b: 'c' } } } };
    expect(asHeld(manifest, false)).toEqual({ spec: { selector: { matchLabels: { b: 'c' } } } });
  });
});
