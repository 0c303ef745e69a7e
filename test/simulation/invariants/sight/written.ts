import { textAt } from '../../../../shared/dialects/fields.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { addedIn } from './json-patch.ts';

/** The text that a request writes into an annotation; undefined where it writes none. */
export const writtenText = ({ verb, body }: Exchange, key: string): string | undefined =>
  verb === 'patch' ? (textAt(body, 'metadata', 'annotations', key) ?? addedIn(body, key)) : undefined;
