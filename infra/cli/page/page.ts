import type { Outside } from '../../terminal/outside.ts';
import { untilInterrupted } from '../../terminal/until-interrupted.ts';
import { openLooker } from '../look/looker.ts';
import { openPage } from './open-page.ts';
import { readPageOptions } from './options.ts';
import { subjectOf } from './subject.ts';

/** `phaseout page`. Resolves with the exit code once it is interrupted; throws what main knows how to say. */
export async function page(args: readonly string[], outside: Outside): Promise<number> {
  const { source, port, namespace } = readPageOptions(args);
  await using closing = new AsyncDisposableStack();
  const looker = await openLooker({ source, goesOnWithout: 'unavailable' }, outside, closing);
  const subject = subjectOf(source, looker.url);
  const address = await openPage(
    looker,
    { subject, recordsOf: notRead, namespace, source, port },
    outside,
    closing,
  );
  outside.stdout.write(`${address}\n`);
  outside.stderr.write(`The page of ${subject}, for you alone, until Ctrl-C. It only reads.\n`);
  await untilInterrupted(outside.interrupted);
  return 0;
}

const notRead = async () => ({ history: [], pods: [], unread: ['not read: history'] });
