import { textAt } from '../../../../shared/dialects/fields.ts';

/** The UID of the Machine that a patch restarts a Deployment for: the first of those that it names. */
export function restartedForIn(body: unknown): string {
  const [last = ''] = (textAt(body, 'metadata', 'annotations', 'phaseout.dev/restarted-for') ?? '').split(
    ',',
  );
  return last;
}
