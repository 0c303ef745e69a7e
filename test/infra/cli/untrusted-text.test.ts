import { describe, expect, test } from 'vitest';
import { reportLines } from '../../../infra/cli/plan/report.ts';
import type { Change } from '../../../infra/cli/run/change.ts';
import { Progress } from '../../../infra/cli/run/progress.ts';
import { timeline } from '../../../infra/cli/run/timeline.ts';
import { messageLines, printable } from '../../../infra/terminal/words.ts';
import { phases } from '../../../shared/machine/phase.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { phaseout } from './outside.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

const about = { time: start, machine: 'fleet/worker-1', phase: 'infrastructure' } as const;

/** The lines that a change leaves in the timeline, without what comes before the first word. */
function told(change: Change): string[] {
  const progress = new Progress();
  progress.add({ ...about, event: 'deleting' }, phases);
  progress.add(change, phases);
  const [journey] = progress.journeys;
  return timeline(journey!, start, (_style, text) => text)
    .slice(3)
    .map((line) => line.replace(/^ *0\.0 s {2}/, ''));
}

describe('text from outside', () => {
  test.each([
    ['colours and titles', 'bad \u001b[31mRED\u001b]0;title\u0007', 'bad \ufffd[31mRED\ufffd]0;title\ufffd'],
    ['lines that look like ours', 'no\r\n+99.0 s machine=other is=gone', 'no +99.0 s machine=other is=gone'],
    ['what turns the line round', 'a\u202eb\u2066c', 'a\ufffdb\ufffdc'],
    ['escapes of one character', 'a\u009b2Jb', 'a\ufffd2Jb'],
    ['nothing of the kind', 'server „17“ läuft – 日本', 'server „17“ läuft – 日本'],
  ])('is shown as text, also with %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test('keeps its own lines only where a message has lines', () => {
    expect(messageLines('* one\u001b[2J\n* two')).toEqual(['one\ufffd[2J', 'two']);
  });

  test('keeps the lines of an error, and nothing else that a terminal would obey', async () => {
    const { code, stderr } = await phaseout(
      'plan',
      'fleet/worker-1',
      '--load',
      '/no\u001b[2J\u202ewhere\n  two',
    );
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'phaseout: /no\ufffd[2J\ufffdwhere\n  two: no such file or directory\n',
    });
  });

  test.each<[string, Change, string]>([
    [
      'a failure',
      { ...about, event: 'failed', reason: 'InternalError', message: 'no\n\u001b[2Jmore' },
      'failed: no \ufffd[2Jmore',
    ],
    [
      'a refusal',
      { ...about, event: 'refused', pod: 'shop/web-1', cause: 'Forbidden', message: 'no\nmore' },
      'refused shop/web-1: no more',
    ],
  ])('takes one line of the timeline in %s', (_, change, line) => {
    expect(told(change)).toEqual([line]);
  });

  test('is shown as text wherever a plan shows it', () => {
    const outside = 'no\n\u001b[2Jmore';
    const plan: DeletionPlan = {
      machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'worker-1', uid: 'uid-1' },
      held: [{ reason: 'Paused', message: outside }],
      phases: [{ phase: 'pre-drain', does: 'wait', why: outside }],
      pods: [
        { namespace: 'a', name: 'b', behavior: 'Drain', order: 0, decidedBy: outside, warnings: [outside] },
      ],
      batches: [{ order: 0, pods: ['a/b'] }],
      refusals: [{ pod: 'a/b', cause: 'Failed', message: outside }],
      volumes: [{ kind: 'PersistentVolume', name: outside }],
      hooks: [{ point: 'pre-drain', name: 'hook', owner: outside }],
      message: outside,
    };
    const lines = reportLines(plan, 'fleet/worker-1', (_style, text) => text);
    expect(lines.filter((line) => line.includes('no \ufffd[2Jmore'))).toHaveLength(7);
    expect(lines.slice(-2)).toEqual(['  no', '  \ufffd[2Jmore']);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });

  test('does not fill the timeline', () => {
    const change: Change = { ...about, event: 'failed', reason: 'InternalError', message: 'y'.repeat(4_000) };
    expect(told(change)).toEqual([`failed: ${'y'.repeat(297)}...`]);
  });
});
