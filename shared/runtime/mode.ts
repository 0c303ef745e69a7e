import * as z from 'zod';
import {
  besideApis,
  hasBeside,
  isMachineApiName,
  type MachineApiName,
  type Mode,
  machineApiNames,
  modes,
} from '../dialects/registry.ts';
import { parseSelector } from '../kubernetes/label-selector.ts';
import { SelectorSyntaxError, selectorOf } from '../kubernetes/selector-text.ts';

const text = z.string();

type Modes = Partial<Record<MachineApiName, Mode>>;

/** One mode for all APIs, with `beside` only where an API has it. Or one for each API, by its name. */
export const mode = text.transform((words, context): Modes => {
  const parts = words.split(',').map((word) => word.trim());
  const [only = ''] = parts;
  if (parts.length === 1 && isMode(only))
    return Object.fromEntries(
      machineApiNames.map((name) => [name, only === 'beside' && !hasBeside(name) ? 'replace' : only]),
    );
  const entries = parts.map((part) => part.split(':'));
  for (const [name = '', word = '', more] of entries) {
    const why = flawOfMode(name, word, more);
    if (why !== undefined) context.addIssue({ code: 'custom', message: why });
  }
  return Object.fromEntries(entries);
});

const isMode = (word: string): word is Mode => modes.some((each) => each === word);

function flawOfMode(name: string, word: string, more: string | undefined): string | undefined {
  if (more !== undefined || !isMachineApiName(name) || !isMode(word))
    return `must be one of ${modes.join(', ')}, or one for each Machine API, as capi:beside,v1alpha1:replace`;
  if (word === 'beside' && !hasBeside(name))
    return `must not be beside for ${name}: only ${besideApis.join(', ')} have it`;
  return undefined;
}

/** A label selector, as kubectl takes it. */
export const selector = text.transform((words, context) => {
  if (words === '') return (): boolean => true;
  try {
    const parsed = parseSelector(selectorOf(words), 'it');
    if (parsed.kind === 'valid') return parsed.matches;
    for (const message of parsed.errors)
      context.addIssue({ code: 'custom', message: `must be a label selector: ${message}` });
  } catch (error) {
    if (!(error instanceof SelectorSyntaxError)) throw error;
    context.addIssue({ code: 'custom', message: `must be a label selector: ${error.message}` });
  }
  return (): boolean => false;
});
