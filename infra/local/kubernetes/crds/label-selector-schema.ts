import type { Schema } from '../schema/schema.ts';
import { fields, list, text, texts } from './shape.ts';

/** A label selector: the API server takes any operator, the controllers judge it. */
export const labelSelector: Schema = fields({
  matchLabels: texts,
  matchExpressions: list(fields({ 'key!': text(), 'operator!': text(), values: list(text()) })),
});
