import { didYouMean, nearTo } from '../../terminal/near.ts';
import type { Outside } from '../../terminal/outside.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { hookNew } from './new.ts';
import { optionsOfNew, optionsOfTest } from './options.ts';
import { hookTest } from './test.ts';

const verbs = { new: hookNew, test: hookTest } as const;

/** What may follow `phaseout hook`. */
export const hookVerbs = Object.keys(verbs);

/** Options of both, for help and completion. */
export const hookOptions = { ...optionsOfNew, ...optionsOfTest } as const;

/** `phaseout hook`. Resolves with the exit code; throws what main knows how to say. */
export async function hook([verb, ...args]: readonly string[], outside: Outside): Promise<number> {
  if (verb === 'new' || verb === 'test') return verbs[verb](args, outside);
  const meant = verb === undefined ? '' : didYouMean(nearTo(verb, hookVerbs));
  const given = verb === undefined ? '' : `, not ${JSON.stringify(verb)}`;
  throw new UsageError(`hook is followed by ${hookVerbs.join(' or ')}${given}${meant}`);
}
