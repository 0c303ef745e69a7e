import { type Asked, hooksAnnotation, serializeAsked } from '../hooks/asked.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import { saveAnnotation } from './annotation.ts';
import type { Saved } from './outcome.ts';

/**
 * Writes which hooks are asked and where their turns stand, if the Machine is still as it was seen. Throws
 * WriteRefused, and Unavailable.
 */
export const saveHooks = (env: Environment, subject: Subject, hooks: readonly Asked[]): Promise<Saved> =>
  saveAnnotation(env, subject, {
    annotation: hooksAnnotation,
    text: serializeAsked(subject.machine.ref.uid, hooks),
    refusal: 'who is asked before the deletion goes on could not be written',
  });
